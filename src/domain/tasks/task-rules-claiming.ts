import { NEW, no } from "../kernel/state-machine.ts";
import { DEADLOCK } from "./escalation.ts";
import type { TaskEventOf } from "./task-event.ts";
import type { TaskRecord } from "./task-record.ts";
import { endsReview, rule, type TaskRule } from "./task-rule.ts";

const opened = ({ repositoryId, issue, title, base, backport, at }: TaskEventOf<"OPEN">) => ({
  repositoryId,
  issue,
  title,
  base,
  backport: backport ?? null,
  createdAt: at,
});

const retargeted = ({ base, backport }: TaskEventOf<"RETARGET">) => ({ base, backport: backport ?? null });

/** Returns the fields of a claimed task. For another coder, the count of review rounds restarts at 0. */
const claimFields = (
  task: TaskRecord,
  event: TaskEventOf<"CLAIM" | "RECLAIM" | "REASSIGN" | "CLAIM_FIX">,
): Partial<TaskRecord> => ({
  assigneeId: event.agentId,
  line: event.line,
  leaseUntil: event.leaseUntil,
  worktree: event.worktree,
  ...(task.line === event.line ? {} : { reviewCyclesCurrent: 0, roundsGranted: 0 }),
});

/** Returns the rounds of review that the coder has left before a person is asked. */
export function roundsLeft(
  task: Pick<TaskRecord, "reviewCyclesCurrent" | "roundsGranted">,
  maxCycles: number,
): number {
  return maxCycles + task.roundsGranted - task.reviewCyclesCurrent;
}

/** Returns the granted rounds, which after a review deadlock are added to the rounds so far; nothing otherwise. */
function grantedRounds(task: TaskRecord, { rounds }: TaskEventOf<"RESCOPE">): Partial<TaskRecord> {
  if (rounds === undefined || task.blockedReason !== DEADLOCK) return {};
  return { roundsGranted: task.reviewCyclesCurrent + rounds.count - rounds.maxCycles };
}

/** The host's own reasons for a block, as stored. A coder's reason with the same text is quoted. */
const HOST_CAUSES: readonly string[] = [DEADLOCK, "coders_failed"];

const quoteIfCause = (reason: string): string =>
  HOST_CAUSES.includes(reason.trim()) ? `its coder says: ${reason}` : reason;

const NO_HOLDER = { assigneeId: null, leaseUntil: null, worktree: null } as const;

const addFailedLine = (task: TaskRecord, line: number | null): readonly number[] =>
  line === null ? task.failedBy : [...new Set([...task.failedBy, line])];

/** The rules that open a task, give it to a coder, and take it back. */
export const claimingRules: readonly TaskRule[] = [
  rule("OPEN", {
    from: NEW,
    to: "DRAFT",
    guard: (_, event) => event.draft,
    change: (_, event) => opened(event),
  }),
  rule("OPEN", { from: NEW, to: "UNCLAIMED", change: (_, event) => opened(event) }),
  rule("RETARGET", { from: ["DRAFT"], to: "DRAFT", change: (_, event) => retargeted(event) }),
  rule("RETARGET", { from: ["UNCLAIMED"], to: "UNCLAIMED", change: (_, event) => retargeted(event) }),
  rule("FINALIZE", { from: ["DRAFT"], to: "UNCLAIMED" }),
  rule("CLAIM", {
    from: ["UNCLAIMED"],
    to: "CLAIMED",
    guard: (_, event) =>
      event.openBlockers.length === 0 ||
      no("open_blocker", `blocked by ${event.openBlockers.join(", ")}`, true),
    change: (task, event) => ({ ...claimFields(task, event), integrationFix: false }),
  }),
  rule("RECLAIM", {
    from: ["REJECTED"],
    to: "CLAIMED",
    guard: (task, event) => {
      if (task.line !== event.line) return no("other_coder", "another coder held it; it is reassigned");
      return (
        roundsLeft(task, event.maxCycles) > 0 ||
        no("review_deadlock", `it was rejected ${task.reviewCyclesCurrent} times`)
      );
    },
    change: claimFields,
  }),
  rule("REASSIGN", {
    from: ["REJECTED"],
    to: "CLAIMED",
    guard: (task, event) => task.line !== event.line || no("same_coder", "the same coder takes it back"),
    change: (task, event) => ({ ...claimFields(task, event), integrationFix: false }),
  }),
  rule("CLAIM_FIX", {
    from: ["INTEGRATION_FAILED"],
    to: "CLAIMED",
    change: (task, event) => ({ ...claimFields(task, event), integrationFix: true }),
  }),
  rule("BLOCK", {
    from: ["CLAIMED"],
    to: "BLOCKED",
    guard: (task, event) => {
      if (event.cause === "replanning")
        return event.reason.trim() !== "" || no("no_reason", "a block needs its reason");
      if (event.cause === "coders_failed")
        return (
          task.failedBy.some((line) => line !== event.failed) ||
          no("first_to_fail", "no other coder has failed at it")
        );
      return no("not_rejected", "only a rejected task is in a review deadlock");
    },
    change: (task, event) => ({
      leaseUntil: null,
      blockedReason: event.cause === "replanning" ? quoteIfCause(event.reason) : event.cause,
      ...(event.cause === "coders_failed" ? { failedBy: [...addFailedLine(task, event.failed)] } : {}),
    }),
  }),
  // Keeps the pull request and the failure for the coder that takes over the fix.
  rule("RELEASE", {
    from: ["CLAIMED"],
    to: "INTEGRATION_FAILED",
    guard: (task) => task.integrationFix,
    change: (task, event) => ({ leaseUntil: null, failedBy: [...addFailedLine(task, event.failed)] }),
  }),
  rule("RELEASE", {
    from: ["CLAIMED", "READY_FOR_REVIEW", "REJECTED", "APPROVED", "INTEGRATION_FAILED"],
    to: "UNCLAIMED",
    change: (task, event) => ({
      ...NO_HOLDER,
      verdicts: [],
      failedBy: [...addFailedLine(task, event.failed)],
    }),
    emits: (_, event, before) =>
      before.state === "READY_FOR_REVIEW" ? [endsReview(event, "the task was released")] : [],
  }),
  rule("RESCOPE", {
    from: ["BLOCKED"],
    to: "UNCLAIMED",
    change: (task, event) => ({ ...NO_HOLDER, ...grantedRounds(task, event), blockedReason: null }),
  }),
];
