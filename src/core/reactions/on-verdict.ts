import type { AgentRecord } from "../machines/agent-record.ts";
import type { TaskRecord } from "../machines/task.ts";
import { type Move, NOTHING, type Reaction, type View } from "../reaction.ts";
import { roleAs } from "../review/reviewer.ts";
import type { GivenVerdict } from "../review/verdict.ts";
import { feedback } from "../text/verdict.ts";
import { afterRejection, rejects } from "./on-rejection.ts";

/** A verdict that was found fit to be taken; see `verdictFault`. */
export interface TakenVerdict {
  readonly at: number;
  readonly given: GivenVerdict;
  /** The reviewing agent, under this token of the review lease. */
  readonly reviewer: Pick<AgentRecord, "role" | "prNumber">;
  readonly leaseToken: number;
  /** Unique for this verdict. */
  readonly source: string;
  readonly task: TaskRecord;
  /** The coder whose work it is. */
  readonly owner: AgentRecord;
}

/** What follows from an agent's verdict, beside its own end: the task moves, and a rejection wakes the coder. */
export function onVerdict(taken: TakenVerdict, view: View): Reaction {
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
  return { ...NOTHING, moves: [approved], effects: [{ kind: "status_comment" }] };
}
