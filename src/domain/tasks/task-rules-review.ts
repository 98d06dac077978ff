import { no } from "../kernel/state-machine.ts";
import { isSameReviewer, type Reviewer } from "../review/reviewer.ts";
import { deadlockReason } from "../status/comments.ts";
import { DEADLOCK } from "./escalation.ts";
import type { TaskEmission, TaskEventOf } from "./task-event.ts";
import type { TaskRecord } from "./task-record.ts";
import { endsReview, endsWithVerdict, rule, type TaskRule } from "./task-rule.ts";
import { roundsLeft } from "./task-rules-claiming.ts";

type Approval = TaskEventOf<"APPROVE">;

/** Returns the approvals including this one: one of each reviewer. */
const approvals = (task: TaskRecord, event: Approval): TaskRecord["verdicts"] => [
  ...without(task.verdicts, event),
  { reviewer: event.reviewer, account: event.account, commit: event.commit, at: event.at },
];

const without = (verdicts: TaskRecord["verdicts"], reviewer: Reviewer): TaskRecord["verdicts"] =>
  verdicts.filter((verdict) => !isSameReviewer(verdict, reviewer));

function mayApprove(task: TaskRecord, event: Approval) {
  if (event.reviewer === event.author) return no("own_work", "nobody approves their own work");
  if (event.commit !== task.reviewCommit)
    return no("other_commit", `the verdict is about ${event.commit}, under review is ${task.reviewCommit}`);
  return true;
}

const mayReject = (_: TaskRecord, { reason }: TaskEventOf<"REJECT">) =>
  reason.trim() !== "" || no("no_reason", "a rejection needs its reason");

const rejected = (task: TaskRecord, { reason, source }: TaskEventOf<"REJECT">): Partial<TaskRecord> => ({
  rejectionReason: reason,
  rejectionSource: source,
  reviewCyclesCurrent: task.reviewCyclesCurrent + 1,
  reviewCyclesTotal: task.reviewCyclesTotal + 1,
  verdicts: [],
});

/**
 * Returns the fields after a new commit, which voids all verdicts on the one before, or after a dismissal, which voids
 * one approval.
 */
function voids(task: TaskRecord, { commit, dismissed }: TaskEventOf<"NEW_COMMIT">) {
  if (dismissed !== undefined && task.verdicts.some((one) => isSameReviewer(one, dismissed))) return true;
  return task.reviewCommit !== commit || no("same_commit", "it is no new commit");
}

/** The commit that is under review from now on, with the commits that are the same work. */
const underReview = (task: TaskRecord, commit: string | null): Partial<TaskRecord> =>
  commit === task.reviewCommit ? {} : { reviewCommit: commit, carriedFrom: [] };

const voided = (task: TaskRecord, { commit, dismissed }: TaskEventOf<"NEW_COMMIT">): Partial<TaskRecord> => ({
  ...underReview(task, commit),
  verdicts: dismissed === undefined ? [] : without(task.verdicts, dismissed),
});

/** Moves the task to BLOCKED and its coder to a person when the rounds are used up. */
function deadlocked(after: TaskRecord, event: TaskEventOf<"REJECT">): readonly TaskEmission[] {
  const { at, maxCycles } = event;
  if (roundsLeft(after, maxCycles) > 0) return [];
  return [
    {
      machine: "task",
      event: { type: "BLOCK", at, actor: "flotilla", cause: "review_deadlock", maxCycles },
    },
  ];
}

/** Rules for work that is up for review: verdicts, checks and new commits. */
export const reviewRules: readonly TaskRule[] = [
  rule("REQUEST_REVIEW", {
    from: ["CLAIMED"],
    to: "READY_FOR_REVIEW",
    guard: (_, event) => event.commit !== null || no("no_commit", "there is no pushed commit"),
    change: (task, event) => ({ ...underReview(task, event.commit), leaseUntil: null, verdicts: [] }),
  }),
  rule("APPROVE", {
    from: ["READY_FOR_REVIEW"],
    to: "unchanged",
    guard: (task, event) => {
      const may = mayApprove(task, event);
      if (may !== true) return may;
      return approvals(task, event).length < event.reviewers;
    },
    change: (task, event) => ({ verdicts: approvals(task, event) }),
    emits: (_, event) => [endsWithVerdict(event)],
  }),
  rule("APPROVE", {
    from: ["READY_FOR_REVIEW"],
    to: "APPROVED",
    guard: mayApprove,
    change: (task, event) => ({ verdicts: approvals(task, event), riskAbove: null }),
    emits: (_, event) => [endsWithVerdict(event)],
  }),
  rule("REJECT", {
    from: ["READY_FOR_REVIEW"],
    to: "REJECTED",
    guard: mayReject,
    change: rejected,
    emits: (after, event) => [endsWithVerdict(event), ...deadlocked(after, event)],
  }),
  rule("REJECT", {
    from: ["APPROVED"],
    to: "REJECTED",
    guard: mayReject,
    change: rejected,
    emits: deadlocked,
  }),
  rule("CHECKS_FAIL", {
    from: ["READY_FOR_REVIEW"],
    to: "REJECTED",
    guard: (_, event) => event.reason.trim() !== "" || no("no_reason", "it must be said which check failed"),
    change: (_, event) => ({ rejectionReason: event.reason, rejectionSource: null, verdicts: [] }),
    emits: (_, event) => [endsReview(event, event.reason)],
  }),
  rule("NEW_COMMIT", {
    from: ["READY_FOR_REVIEW"],
    to: "unchanged",
    guard: voids,
    change: voided,
    emits: (_, { at, actor, commit, dismissed }) =>
      dismissed === undefined
        ? [{ machine: "review_lease", event: { type: "NEW_COMMIT", at, actor, why: `${commit} was pushed` } }]
        : [],
  }),
  rule("NEW_COMMIT", {
    from: ["APPROVED"],
    to: "unchanged",
    guard: (task, { commit, sameWork }) => commit !== task.reviewCommit && sameWork === task.reviewCommit,
    change: (task, { commit }) => ({
      reviewCommit: commit,
      riskAbove: null,
      carriedFrom: [...task.carriedFrom, task.reviewCommit].filter((one) => one !== null),
      verdicts: task.verdicts.map((verdict) => ({ ...verdict, commit })),
    }),
  }),
  rule("NEW_COMMIT", {
    from: ["APPROVED"],
    to: "READY_FOR_REVIEW",
    guard: voids,
    change: voided,
  }),
  rule("BLOCK", {
    from: ["REJECTED"],
    to: "BLOCKED",
    guard: (task, event) =>
      (event.cause === "review_deadlock" && roundsLeft(task, event.maxCycles) <= 0) ||
      no("rounds_left", `it was rejected ${task.reviewCyclesCurrent} times so far`),
    change: () => ({ blockedReason: DEADLOCK, leaseUntil: null }),
    emits: (after, { at }) => [
      {
        machine: "assignee",
        event: {
          type: "ESCALATE",
          at,
          actor: "flotilla",
          reason: deadlockReason(after.reviewCyclesCurrent, after.rejectionReason),
          category: DEADLOCK,
          question: null,
          breaker: null,
        },
      },
    ],
  }),
];
