import type { AgentEvent } from "../agents/agent-event.ts";
import type { EventOf } from "../kernel/state-machine.ts";
import type { ReviewLeaseEvent } from "../review/review-lease.ts";
import type { Reviewer } from "../review/reviewer.ts";

interface Base {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** A GitHub login, `flotilla` for the host, or `agent`. */
  readonly actor: string;
}

/** A coder that takes the task; `line` tells coders apart over their attempts, see `lineOf`. */
interface Taking {
  readonly agentId: number;
  readonly line: number;
  /** Its worktree, by name. */
  readonly worktree: string;
  readonly leaseUntil: number;
}

/** So many more rounds of review, by whose word. */
interface RoundsGiven {
  readonly by: readonly string[];
  readonly count: number;
  /** `review.max_cycles`. */
  readonly maxCycles: number;
}

export type TaskEvent = Base &
  (
    | {
        readonly type: "OPEN";
        readonly repositoryId: number;
        readonly issue: number;
        readonly title: string;
        readonly draft: boolean;
      }
    | { readonly type: "FINALIZE" }
    | (Taking & { readonly type: "CLAIM"; readonly openBlockers: readonly string[] })
    | (Taking & { readonly type: "RECLAIM"; readonly maxCycles: number })
    | (Taking & { readonly type: "REASSIGN" | "CLAIM_FIX" })
    /** `commit` null = there is none that was pushed. */
    | { readonly type: "REQUEST_REVIEW"; readonly commit: string | null }
    | { readonly type: "BLOCK"; readonly cause: "replanning"; readonly reason: string }
    /** `failed` = the line of the coder that failed now. */
    | { readonly type: "BLOCK"; readonly cause: "coders_failed"; readonly failed: number }
    | { readonly type: "BLOCK"; readonly cause: "review_deadlock"; readonly maxCycles: number }
    /** `failed` = the line of the coder that failed, null when none did. */
    | { readonly type: "RELEASE"; readonly failed: number | null }
    | (Reviewer & {
        readonly type: "APPROVE";
        readonly author: string;
        readonly commit: string;
        /** How many must approve (`review.reviewers`). */
        readonly reviewers: number;
        /** Of the review lease, where the reviewer holds it; null for a person's review on GitHub. */
        readonly leaseToken: number | null;
      })
    | {
        readonly type: "REJECT";
        /** The id of the person's account; null for an agent. */
        readonly account: number | null;
        readonly reason: string;
        readonly maxCycles: number;
        readonly leaseToken: number | null;
      }
    /** `reason` names the check, or says that the pull request conflicts with its base. */
    | { readonly type: "CHECKS_FAIL"; readonly reason: string }
    /**
     * `dismissed` = whose approval of this same commit was taken back: it alone is void; `sameWork` = it is nothing but a
     * clean merge of the base branch into that commit.
     */
    | {
        readonly type: "NEW_COMMIT";
        readonly commit: string;
        readonly dismissed?: Reviewer;
        readonly sameWork?: string;
      }
    | {
        readonly type: "MERGE";
        readonly head: string;
        readonly checksGreen: boolean;
        readonly mergeCommit: string;
      }
    | { readonly type: "INTEGRATION_FAIL"; readonly reason: string }
    /** `rounds` = what a person gives the same coder after a review deadlock. */
    | { readonly type: "RESCOPE"; readonly rounds?: RoundsGiven }
    | { readonly type: "ABANDON" }
    /** `by` = the number of the issue that takes its place. */
    | { readonly type: "SUPERSEDE"; readonly by: number; readonly reason: string }
    | { readonly type: "OBSERVED_MERGED"; readonly commit: string | null }
    /** `why` = who closed it, or what else became of the issue. */
    | { readonly type: "OBSERVED_CLOSED"; readonly why?: string }
  );
export type TaskEventOf<T extends TaskEvent["type"]> = EventOf<TaskEvent, T>;

/** What a task's move tells the machines beside it: itself, the lease of its review, the coder that holds it. */
export type TaskEmission =
  | { readonly machine: "task"; readonly event: TaskEvent }
  | { readonly machine: "review_lease"; readonly event: ReviewLeaseEvent }
  | { readonly machine: "assignee"; readonly event: AgentEvent };
