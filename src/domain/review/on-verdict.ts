import type { AgentRecord } from "../agents/agent-record.ts";
import { type ChangeSet, type IssueState, type Move, NO_CHANGES } from "../kernel/change-set.ts";
import type { TaskRecord } from "../tasks/task-record.ts";
import { afterRejection, rejects } from "./on-rejection.ts";
import { roleAs } from "./reviewer.ts";
import type { GivenVerdict } from "./verdict.ts";
import { feedback } from "./verdict-text.ts";

/** An accepted verdict; see `verdictFault`. */
export interface TakenVerdict {
  readonly at: number;
  readonly given: GivenVerdict;
  /** The reviewing agent, which holds the review lease with this token. */
  readonly reviewer: Pick<AgentRecord, "role" | "prNumber">;
  readonly leaseToken: number;
  /** Unique for this verdict. */
  readonly source: string;
  readonly task: TaskRecord;
  /** The coder of the work. */
  readonly owner: AgentRecord;
}

/**
 * Returns what follows from an agent's verdict, besides its own end: the task moves, and a rejection wakes the coder.
 */
export function onVerdict(taken: TakenVerdict, view: IssueState): ChangeSet {
  const { at, given, reviewer, leaseToken, source, task, owner } = taken;
  const { role, prNumber: pull } = reviewer;
  if (given.verdict === "reject") {
    const review = { at, by: "agent", pull, source, detail: feedback({ role, pull, ...given }), owner };
    return afterRejection(review, view, rejects(review, view, { leaseToken }));
  }
  const approved: Move = {
    machine: "task",
    id: task.id,
    event: {
      at,
      actor: "agent",
      type: "APPROVE",
      ...roleAs(role),
      author: owner.name,
      commit: given.commit,
      reviewers: view.settings.review.reviewers,
      leaseToken,
    },
  };
  return { ...NO_CHANGES, moves: [approved], effects: [{ kind: "status_comment" }] };
}
