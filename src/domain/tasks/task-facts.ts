import { oneLine, times } from "../messages/format.ts";
import { nextOfWork, type WorkFacts } from "./next-of-work.ts";
import type { TaskRecord } from "./task-record.ts";
import { workReason } from "./work-reason.ts";

/** Characters of a commit that people tell commits apart by. */
const SHORT_COMMIT = 7;

const known = (text: string | null) => oneLine(text ?? "unknown");

const short = (commit: string | null) => `\`${known(commit).slice(0, SHORT_COMMIT)}\``;

/** Where the task stands, what goes with that and what comes next, a line of the status comment. */
export function taskFacts(task: TaskRecord, around: WorkFacts): string {
  const counted = [
    ...(task.reviewCyclesTotal === 0 ? [] : [`rejected ${times(task.reviewCyclesTotal)} so far`]),
    ...(task.failedBy.length === 0 ? [] : [`${coders(task.failedBy.length)} failed at it`]),
  ];
  return [`Task: **${task.state}**`, ...standing(task), ...counted, ...next(task, around)].join("; ");
}

/** What a coder waits for that does not work is told of the coder itself. */
function next(task: TaskRecord, around: WorkFacts): readonly string[] {
  const waits = around.coderState === "SLEEPING" || around.coderState === "ESCALATED";
  if (task.state === "CLAIMED" && waits) return [];
  const { state, blockedReason, abandonedReason } = task;
  return [`next: ${nextOfWork(state, { ...around, blockedReason, abandonedReason })}`];
}

/** What is set in just this state. */
function standing(task: TaskRecord): readonly string[] {
  switch (task.state) {
    case "READY_FOR_REVIEW":
    case "APPROVED":
      return [`about ${short(task.reviewCommit)}`, ...approvedBy(task)];
    case "MERGED":
      return [`as ${short(task.mergeCommit)}`];
    default: {
      const reason = workReason(task);
      return reason === null ? [] : [oneLine(reason)];
    }
  }
}

function approvedBy({ verdicts }: TaskRecord): readonly string[] {
  return verdicts.length === 0
    ? []
    : [`approved by ${verdicts.map(({ reviewer }) => oneLine(reviewer)).join(", ")}`];
}

const coders = (count: number) => `${count} ${count === 1 ? "coder" : "coders"}`;
