import type { ApprovalRow } from "../approval.ts";
import type { OccurrenceOf } from "../occurrence.ts";
import { decided, joined, NOTHING, type Reaction, type View } from "../reaction.ts";
import { parseMarker } from "../text/marker.ts";
import { personNamed } from "../text/person-named.ts";
import { planComment, planKey, readPlanComment } from "../text/plan-comment.ts";
import { wake } from "./on-issue.ts";

/** What a person did and when; `delivery` is what no other act is called. */
export interface PersonsAct {
  readonly at: number;
  readonly delivery: string;
  readonly actor: { readonly login: string };
}

/** The plan's one comment, as it should read once that is known. */
function written(view: View, plan: ApprovalRow): Reaction {
  const role = view.agents.find(({ id }) => id === plan.agentId)?.role ?? "The agent";
  return {
    ...NOTHING,
    effects: [{ kind: "post_comment", name: planKey(plan.id), body: planComment(role, plan) }],
  };
}

/** A person lets the work begin by this plan, or by what they made of it. */
export function approvesPlan(
  act: PersonsAct,
  view: View,
  plan: ApprovalRow,
  edited: string | null,
): Reaction {
  const by = act.actor.login;
  const said =
    edited === null
      ? `${personNamed(by)} approves your plan. Work by it now.`
      : `${personNamed(by)} approves your plan as they edited it. Work by this one, not by yours:\n\n${edited}`;
  return joined(
    told(act, view, plan, said),
    {
      ...NOTHING,
      approvals: [
        {
          id: plan.id,
          state: "granted",
          by,
          reason: null,
          ...(edited === null ? {} : { plan: { agentId: plan.agentId, text: edited } }),
        },
      ],
    },
    written(view, { ...plan, state: "granted", decidedBy: by, input: edited ?? plan.input }),
  );
}

/** A person sends the plan back: the agent plans again, told why. */
export function deniesPlan(act: PersonsAct, view: View, plan: ApprovalRow, reason: string): Reaction {
  const by = act.actor.login;
  const said = `${personNamed(by)} sends your plan back. Why: ${reason}. Make a new plan and submit it; change nothing before that.`;
  return joined(
    told(act, view, plan, said),
    { ...NOTHING, approvals: [{ id: plan.id, state: "denied", by, reason }] },
    written(view, { ...plan, state: "denied", decidedBy: by, reason }),
  );
}

function told(act: PersonsAct, view: View, plan: ApprovalRow, said: string): Reaction {
  const agent = view.agents.find(({ id }) => id === plan.agentId);
  if (agent === undefined) return NOTHING;
  const one = wake(act, agent, "approval", said);
  return { ...NOTHING, wakes: [{ ...one, key: `${one.key}:${plan.id}` }] };
}

/** The comment of a plan that waits was edited: its box ticked, or the plan in it changed. Null for any other comment. */
export function onPlanEdited(occurrence: OccurrenceOf<"comment_edited">, view: View): Reaction | null {
  const key = parseMarker(occurrence.body)?.key;
  const plan = view.asked.find((row) => row.kind === "plan" && planKey(row.id) === key);
  if (plan === undefined) return null;
  const { agentId } = plan;
  const by = `@${occurrence.actor.login}`;
  const change = "tick its box, edit its text, or say `/flotilla approve` or `/flotilla deny <reason>`";
  if (!occurrence.permitted)
    return joined(
      decided("not_permitted", `${by} has no write permission here`, {
        agentId,
        change: "a person with write permission approves the plan",
      }),
      written(view, plan),
    );
  const read = readPlanComment(occurrence.body);
  if (read === null)
    return joined(
      decided("plan_unreadable", `${by} left no plan in its comment`, { agentId, change }),
      written(view, plan),
    );
  const edited = read.plan === plan.input.trim() ? null : read.plan;
  if (edited === null && !read.ticked)
    return joined(
      decided("no_box_ticked", "the plan's comment was edited, but neither its box nor the plan", {
        agentId,
        change,
      }),
      written(view, plan),
    );
  return approvesPlan(occurrence, view, plan, edited);
}
