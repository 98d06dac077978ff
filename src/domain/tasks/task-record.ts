import { z } from "zod";
import { UNKNOWN_ACCOUNT } from "../review/reviewer.ts";

/** The work asked for by one issue, from its opening to its merge. */
export const TASK_STATES = [
  "DRAFT",
  "UNCLAIMED",
  "CLAIMED",
  "READY_FOR_REVIEW",
  "REJECTED",
  "APPROVED",
  "INTEGRATION_FAILED",
  "BLOCKED",
  "MERGED",
  "SUPERSEDED",
  "ABANDONED",
] as const;
export type TaskState = (typeof TASK_STATES)[number];
export const TERMINAL_TASK_STATES = ["MERGED", "SUPERSEDED", "ABANDONED"] as const;
export const OPEN_TASK_STATES = TASK_STATES.filter(
  (state) => !(TERMINAL_TASK_STATES as readonly string[]).includes(state),
);

/**
 * The base branch of an issue's work, where it begins and where its pull request goes. Null = the repository's default
 * branch, which may be renamed.
 */
export type Base = string | null;

/** An approval of the commit under review; without an account where an earlier version wrote it. */
const verdict = z.strictObject({
  reviewer: z.string(),
  account: z.int().nullable().default(UNKNOWN_ACCOUNT),
  commit: z.string(),
  at: z.int(),
});

export const taskRecord = z.strictObject({
  id: z.int(),
  version: z.int(),
  state: z.enum(TASK_STATES),
  repositoryId: z.int(),
  issue: z.int(),
  title: z.string(),
  /** The coder that holds the task, or held it last while it is under review, rejected or ended. */
  assigneeId: z.int().nullable(),
  /** The line of that coder; kept when the task is released. See `lineOf`. */
  line: z.int().nullable(),
  leaseUntil: z.int().nullable(),
  /** The name of the coder's worktree; the agent's record has the path. */
  worktree: z.string().nullable(),
  /** See `Base`. */
  base: z.string().nullable(),
  /** The merged commit whose change the work begins with, or `onto..commit`; see `mergedChange`. */
  backport: z.string().nullable(),
  baseCommit: z.string().nullable(),
  reviewCommit: z.string().nullable(),
  /** Earlier commits under review from which the review commit differs only by clean merges of the base branch. */
  carriedFrom: z.array(z.string()),
  /** Approvals of the review commit so far, one for each reviewer. */
  verdicts: z.array(verdict),
  /** The risk of merging the review commit, where it is above `merge.max_risk`: a person merges it. Null elsewhere. */
  riskAbove: z
    .strictObject({
      commit: z.string(),
      score: z.int(),
      /** `merge.max_risk` at that time. */
      most: z.int(),
      reasons: z.array(z.string()),
    })
    .nullable(),
  mergeCommit: z.string().nullable(),
  rejectionReason: z.string().nullable(),
  /** The review that rejected the work last, see `reviewOf`; null where a check or a conflict did, or an earlier version. */
  rejectionSource: z.string().nullable(),
  blockedReason: z.string().nullable(),
  integrationReason: z.string().nullable(),
  /** The number of the issue that replaces it. */
  supersededBy: z.int().nullable(),
  rescopeReason: z.string().nullable(),
  /** Who gave the work up, or what happened to its issue. */
  abandonedReason: z.string().nullable(),
  /** The task is claimed to fix a failed integration. */
  integrationFix: z.boolean(),
  reviewCyclesCurrent: z.int(),
  reviewCyclesTotal: z.int(),
  /** Rounds of review of this coder beyond `review.max_cycles`, or fewer, as people granted them after a deadlock. */
  roundsGranted: z.int(),
  /** Lines of the coders that failed at the task. */
  failedBy: z.array(z.int()),
  sprintId: z.int().nullable(),
  createdAt: z.int(),
});
export type TaskRecord = z.infer<typeof taskRecord>;

/** The initial values of a record that does not exist yet. */
export const newTaskRecord: TaskRecord = {
  id: 0,
  version: 0,
  state: "UNCLAIMED",
  repositoryId: 0,
  issue: 0,
  title: "",
  assigneeId: null,
  line: null,
  leaseUntil: null,
  worktree: null,
  base: null,
  backport: null,
  baseCommit: null,
  reviewCommit: null,
  carriedFrom: [],
  verdicts: [],
  riskAbove: null,
  mergeCommit: null,
  rejectionReason: null,
  rejectionSource: null,
  blockedReason: null,
  integrationReason: null,
  supersededBy: null,
  rescopeReason: null,
  abandonedReason: null,
  integrationFix: false,
  reviewCyclesCurrent: 0,
  reviewCyclesTotal: 0,
  roundsGranted: 0,
  failedBy: [],
  sprintId: null,
  createdAt: 0,
};

export function isOpenTask(task: Pick<TaskRecord, "state">): boolean {
  return (OPEN_TASK_STATES as readonly string[]).includes(task.state);
}

/**
 * Returns whether a verdict on that commit is about the work under review: on its commit, or on one from which Flotilla
 * carried the approval over.
 */
export function isOfWork(
  { reviewCommit, carriedFrom }: Pick<TaskRecord, "reviewCommit" | "carriedFrom">,
  commit: string | null,
): boolean {
  return commit !== null && (commit === reviewCommit || carriedFrom.includes(commit));
}
