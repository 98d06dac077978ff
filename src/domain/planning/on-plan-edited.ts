import { wake } from "../agents/agent-changes.ts";
import type { DomainEventOf } from "../events/domain-event.ts";
import {
  type ChangeSet,
  decisionOnly,
  type IssueState,
  mergeChanges,
  NO_CHANGES,
} from "../kernel/change-set.ts";
import { parseMarker } from "../messages/marker.ts";
import type { ApprovalRow } from "../questions/approval.ts";
import { personNamed } from "../status/person-named.ts";
import { planComment, planKey, readPlanComment } from "./plan-comment.ts";

/** What a person did and when; `delivery` is unique to the act. */
export interface PersonsAct {
  readonly at: number;
  readonly delivery: string;
  readonly actor: { readonly login: string };
}

/** Rewrites the plan's one comment after a decision about it. */
function written(view: IssueState, plan: ApprovalRow): ChangeSet {
  const role = view.agents.find(({ id }) => id === plan.agentId)?.role ?? "The agent";
  return {
    ...NO_CHANGES,
    effects: [{ kind: "post_comment", name: planKey(plan.id), body: planComment(role, plan) }],
  };
}

/** Adds what a person says with an approval, for the agent; "" where they say nothing. */
export function withWords(said: string, words: string): string {
  return words === "" ? said : `${said} They add:\n\n${words}`;
}

/** Lets the work begin by this plan, or by the person's edited version. */
export function approvesPlan(
  act: PersonsAct,
  view: IssueState,
  plan: ApprovalRow,
  { edited, words }: { readonly edited: string | null; readonly words: string },
): ChangeSet {
  const by = act.actor.login;
  const said =
    edited === null
      ? withWords(`${personNamed(by)} approves your plan. Work by it now.`, words)
      : `${personNamed(by)} approves your plan as they edited it. Work by this one, not by yours:\n\n${edited}`;
  return mergeChanges(
    wakeAgent(act, view, plan, said),
    {
      ...NO_CHANGES,
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

/** Sends the plan back with the person's reason: the agent plans again. */
export function deniesPlan(act: PersonsAct, view: IssueState, plan: ApprovalRow, reason: string): ChangeSet {
  const by = act.actor.login;
  const said = `${personNamed(by)} sends your plan back. Why: ${reason}. Make a new plan and submit it; change nothing before that.`;
  return mergeChanges(
    wakeAgent(act, view, plan, said),
    { ...NO_CHANGES, approvals: [{ id: plan.id, state: "denied", by, reason }] },
    written(view, { ...plan, state: "denied", decidedBy: by, reason }),
  );
}

function wakeAgent(act: PersonsAct, view: IssueState, plan: ApprovalRow, said: string): ChangeSet {
  const agent = view.agents.find(({ id }) => id === plan.agentId);
  if (agent === undefined) return NO_CHANGES;
  const one = wake(act, agent, "approval", said);
  return { ...NO_CHANGES, wakes: [{ ...one, key: `${one.key}:${plan.id}` }] };
}

/**
 * Handles an edit of a waiting plan's comment: its box was ticked, or the plan was changed. Null for any other comment.
 */
export function onPlanEdited(event: DomainEventOf<"comment_edited">, view: IssueState): ChangeSet | null {
  const key = parseMarker(event.body)?.key;
  const plan = view.asked.find((row) => row.kind === "plan" && planKey(row.id) === key);
  if (plan === undefined) return null;
  const { agentId } = plan;
  const by = `@${event.actor.login}`;
  const change = "tick its box, edit its text, or say `/flotilla approve` or `/flotilla deny <reason>`";
  if (!event.permitted)
    return mergeChanges(
      decisionOnly("not_permitted", `${by} has no write permission here`, {
        agentId,
        change: "a person with write permission approves the plan",
      }),
      written(view, plan),
    );
  const read = readPlanComment(event.body);
  if (read === null)
    return mergeChanges(
      decisionOnly("plan_unreadable", `${by} left no plan in its comment`, { agentId, change }),
      written(view, plan),
    );
  const edited = read.plan === plan.input.trim() ? null : read.plan;
  if (edited === null && !read.ticked)
    return mergeChanges(
      decisionOnly("no_box_ticked", "the plan's comment was edited, but neither its box nor the plan", {
        agentId,
        change,
      }),
      written(view, plan),
    );
  return approvesPlan(event, view, plan, { edited, words: "" });
}
