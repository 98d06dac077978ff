import { type AgentRecord, isLive } from "../machines/agent-record.ts";
import type { TaskRecord } from "../machines/task.ts";
import { decided, NOTHING, type Reaction, type View } from "../reaction.ts";
import { isSameReviewer, roleAs } from "../review/reviewer.ts";
import { type Role, rolesForEvent } from "../role.ts";
import type { Settings } from "../settings.ts";
import { birthOf } from "./start-role.ts";

/** So many agents of a role may end without a verdict on one commit; then a person reviews it. */
const MOST_ATTEMPTS = 3;

/** The roles that review, in the order of the configuration. */
export function reviewerRoles({ roles }: Pick<Settings, "roles">): readonly Role[] {
  return rolesForEvent(roles, "task.ready_for_review").filter(({ evidence }) => evidence === "verdict");
}

export interface ReviewDue {
  readonly at: number;
  readonly task: TaskRecord;
  /** Null where the work has no pull request. */
  readonly pull: { readonly number: number; readonly draft: boolean } | null;
  /** The role that a person asked for by name, null where it is only due. */
  readonly asked: string | null;
}

/**
 * The reviewer that work under review wants next: one at a time, of each role in turn that has not spoken, until enough
 * approvals stand. A person's word for a role outweighs a draft, and that it failed before.
 */
export function reviewDue({ at, task, pull, asked }: ReviewDue, view: View): Reaction {
  const roles = reviewerRoles(view.settings);
  const names = roles.map(({ name }) => name);
  if (view.agents.some((agent) => isLive(agent) && names.includes(agent.role))) return NOTHING;
  if (pull?.draft === true && asked === null)
    return decided("pull_draft", `#${pull.number} is a draft: no reviewer starts`, {
      change: "mark it ready for review",
      shown: true,
    });
  const silent = roles.filter(({ name }) => !hasApproved(task, name));
  const next = silent.find(({ name }) =>
    asked === null ? attempts(view.agents, name, task) < MOST_ATTEMPTS : name === asked,
  );
  if (next !== undefined) {
    const birth = birthOf(next, view, at, { branch: null, prNumber: pull?.number ?? null });
    const event = { type: "CREATE", at, actor: "flotilla", birth, entry: { assignedTo: null } } as const;
    return { ...NOTHING, moves: [{ machine: "agent", id: null, event }] };
  }
  const [failed] = silent;
  if (failed !== undefined)
    return decided("review_not_given", `${MOST_ATTEMPTS} agents of ${failed.name} ended without a verdict`, {
      change: `review it yourself, or say \`/flotilla start ${failed.name}\``,
      shown: true,
    });
  const { reviewers } = view.settings.review;
  return decided(
    "reviewers_short",
    `${task.verdicts.length} of ${reviewers} approvals are given, and every reviewer has given its own`,
    { change: "a person with permission reviews it", shown: true },
  );
}

/** An agent of that role has approved what is under review. */
export function hasApproved({ verdicts }: Pick<TaskRecord, "verdicts">, role: string): boolean {
  return verdicts.some((verdict) => isSameReviewer(verdict, roleAs(role)));
}

/** Those that saw the commit and ended; one that never began says nothing of it. */
function attempts(agents: readonly AgentRecord[], role: string, task: TaskRecord): number {
  return agents.filter((agent) => agent.role === role && agent.headCommit === task.reviewCommit).length;
}
