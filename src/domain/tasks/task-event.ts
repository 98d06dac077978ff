import type { AgentEvent } from "../agents/agent-event.ts";
import type { EventOf } from "../kernel/state-machine.ts";
import type { ReviewLeaseEvent } from "../review/review-lease.ts";
import type { Reviewer } from "../review/reviewer.ts";
import type { Base as BaseBranch } from "./task-record.ts";

interface Base {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** A GitHub login, `flotilla` for the host, or `agent`. */
  readonly actor: string;
}

/** A coder that claims the task; `line` identifies a coder over its attempts, see `lineOf`. */
interface Taking {
  readonly agentId: number;
  readonly line: number;
  /** The name of its worktree. */
  readonly worktree: string;
  readonly leaseUntil: number;
}

/** More rounds of review, and who granted them. */
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
        readonly base: BaseBranch;
        /** The merged commit whose change the work begins with. */
        readonly backport?: string | undefined;
      }
    /** The next work goes to another base branch. */
    | { readonly type: "RETARGET"; readonly base: BaseBranch; readonly backport?: string | undefined }
    | { readonly type: "FINALIZE" }
    | (Taking & { readonly type: "CLAIM"; readonly openBlockers: readonly string[] })
    | (Taking & { readonly type: "RECLAIM"; readonly maxCycles: number })
    | (Taking & { readonly type: "REASSIGN" | "CLAIM_FIX" })
    /** `commit` null = nothing was pushed. */
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
        /** Token of the review lease, where the reviewer holds it; null for a person's review on GitHub. */
        readonly leaseToken: number | null;
      })
    | {
        readonly type: "REJECT";
        /** The id of the person's account; null for an agent. */
        readonly account: number | null;
        readonly reason: string;
        /** Identifies the review. */
        readonly source: string;
        readonly maxCycles: number;
        readonly leaseToken: number | null;
      }
    /** `reason` names the check, or says that the pull request conflicts with its base. */
    | { readonly type: "CHECKS_FAIL"; readonly reason: string }
    /**
     * `dismissed` = whose approval of this same commit was dismissed: only that one is void; `sameWork` = the new
     * commit is only a clean merge of the base branch.
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
    /** `rounds` = what a person grants the same coder after a review deadlock. */
    | { readonly type: "RESCOPE"; readonly rounds?: RoundsGiven }
    | { readonly type: "ABANDON" }
    /** `by` = the number of the issue that replaces it. */
    | { readonly type: "SUPERSEDE"; readonly by: number; readonly reason: string }
    | { readonly type: "OBSERVED_MERGED"; readonly commit: string | null }
    /** `why` = who closed the issue, or what else happened to it. */
    | { readonly type: "OBSERVED_CLOSED"; readonly why?: string }
  );
export type TaskEventOf<T extends TaskEvent["type"]> = EventOf<TaskEvent, T>;

/** Events that a task's move emits: to itself, the lease of its review, the coder that holds it. */
export type TaskEmission =
  | { readonly machine: "task"; readonly event: TaskEvent }
  | { readonly machine: "review_lease"; readonly event: ReviewLeaseEvent }
  | { readonly machine: "assignee"; readonly event: AgentEvent };
