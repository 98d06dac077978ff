import { shortCommit } from "../messages/commit-link.ts";
import { oneLine, times } from "../messages/format.ts";
import { inlineCode } from "../messages/inline-code.ts";
import { nextOfWork, type WorkFacts } from "./next-of-work.ts";
import type { TaskRecord } from "./task-record.ts";
import { workReason } from "./work-reason.ts";

const known = (text: string | null) => oneLine(text ?? "unknown");

const short = (commit: string | null) => shortCommit(known(commit));

/**
 * Returns the state of the task, the facts of that state and what comes next, as lines of the status comment.
 */
export function taskFacts(task: TaskRecord, around: WorkFacts): string {
  const counted = [
    ...(task.reviewCyclesTotal === 0 ? [] : [`rejected ${times(task.reviewCyclesTotal)} so far`]),
    ...(task.failedBy.length === 0 ? [] : [`${coders(task.failedBy.length)} failed at it`]),
  ];
  const way = task.state === "MERGED" ? "merged into" : "goes to";
  const base = task.base === null ? [] : [`${way} ${inlineCode(task.base)}`];
  return [`Task: **${task.state}**`, ...base, ...details(task), ...counted, ...next(task, around)].join("; ");
}

/** Leaves out what an idle coder waits for, since the line about the coder says it. */
function next(task: TaskRecord, around: WorkFacts): readonly string[] {
  const waits = around.coderState === "SLEEPING" || around.coderState === "ESCALATED";
  if (task.state === "CLAIMED" && waits) return [];
  const { state, blockedReason, abandonedReason } = task;
  const comes = nextOfWork(state, { ...around, blockedReason, abandonedReason });
  return [comes.startsWith("nothing: ") ? `you need to do ${comes}` : `next: ${comes}`];
}

/** Returns the facts that only this state has. */
function details(task: TaskRecord): readonly string[] {
  switch (task.state) {
    case "READY_FOR_REVIEW":
    case "APPROVED":
      return [`commit ${short(task.reviewCommit)}`, ...approvedBy(task)];
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
