import { NEW } from "../../src/domain/kernel/state-machine.ts";
import { taskMachine } from "../../src/domain/tasks/task.ts";
import type { TaskEvent } from "../../src/domain/tasks/task-event.ts";
import { newTaskRecord, type TaskRecord } from "../../src/domain/tasks/task-record.ts";
import { AT, HOUR } from "../factories/moment.ts";
import { type Walker, walkerOf } from "./walker.ts";

const base = { at: AT, actor: "flotilla" };

/** Two coders, by their lines. */
export const CODER = 11;
export const OTHER = 12;
const FIRST = "a".repeat(40);
const SECOND = "b".repeat(40);

const taking = [CODER, OTHER].map((line) => ({
  ...base,
  agentId: line,
  line,
  worktree: `worktree-${line}`,
  leaseUntil: AT + HOUR,
}));

/** With the rounds of review that are allowed: one, so that a deadlock is near, or the default. */
const ROUNDS = [5, 1];

function eventsOf(type: TaskEvent["type"], task: TaskRecord | undefined): readonly TaskEvent[] {
  const commit = task?.reviewCommit ?? FIRST;
  const verdict = { ...base, account: 5, commit, leaseToken: null };
  switch (type) {
    case "OPEN":
      return [false, true].map((draft) => ({
        ...base,
        type,
        repositoryId: 7,
        issue: 42,
        title: "Lamp",
        draft,
        base: null,
      }));
    case "RETARGET":
      return [{ ...base, type, base: "release-1" }];
    case "CLAIM":
      return taking.flatMap((one) => [[], ["#7"]].map((openBlockers) => ({ ...one, type, openBlockers })));
    case "RECLAIM":
      return taking.flatMap((one) => ROUNDS.map((maxCycles) => ({ ...one, type, maxCycles })));
    case "REASSIGN":
    case "CLAIM_FIX":
      return taking.map((one) => ({ ...one, type }));
    case "REQUEST_REVIEW":
      return [FIRST, null].map((head) => ({ ...base, type, commit: head }));
    case "BLOCK":
      return [
        ...["needs replanning", ""].map((reason) => ({
          ...base,
          type,
          cause: "replanning" as const,
          reason,
        })),
        ...[CODER, OTHER].map((failed) => ({ ...base, type, cause: "coders_failed" as const, failed })),
        ...ROUNDS.map((maxCycles) => ({ ...base, type, cause: "review_deadlock" as const, maxCycles })),
      ];
    case "RELEASE":
      return [null, CODER, OTHER].map((failed) => ({ ...base, type, failed }));
    case "APPROVE":
      return [
        { ...verdict, type, reviewer: "alice", author: "flotilla", reviewers: 1 },
        { ...verdict, type, reviewer: "alice", author: "flotilla", reviewers: 2 },
        { ...verdict, type, reviewer: "alice", author: "alice", reviewers: 1 },
        { ...verdict, type, reviewer: "alice", author: "flotilla", reviewers: 1, commit: "c".repeat(40) },
      ];
    case "REJECT":
      return ["a test is missing", ""].map((reason) => ({
        ...base,
        type,
        reason,
        source: "review:55",
        maxCycles: 5,
        leaseToken: null,
        account: 5,
      }));
    case "CHECKS_FAIL":
    case "INTEGRATION_FAIL":
      return ["lint is red", ""].map((reason) => ({ ...base, type, reason }));
    case "NEW_COMMIT":
      return [
        ...[SECOND, FIRST].map((head) => ({ ...base, type, commit: head })),
        { ...base, type, commit: SECOND, sameWork: FIRST },
      ];
    case "MERGE":
      return [true, false].flatMap((checksGreen) =>
        [commit, "d".repeat(40)].map((head) => ({
          ...base,
          type,
          head,
          checksGreen,
          mergeCommit: "e".repeat(40),
        })),
      );
    case "SUPERSEDE":
      return ["it was split", ""].map((reason) => ({ ...base, type, by: 43, reason }));
    case "OBSERVED_MERGED":
      return [{ ...base, type, commit: "e".repeat(40) }];
    default:
      return [{ ...base, type }];
  }
}

/** The Task with each of its events: two coders, one or two reviewers, reasons given and left out. */
export const taskWalker: Walker<TaskRecord> = walkerOf({
  machine: taskMachine,
  blank: { ...newTaskRecord, id: 41, version: 1 },
  start: NEW,
  candidates: (task) => taskMachine.events.flatMap((type) => eventsOf(type, task)),
  key: (task) =>
    JSON.stringify([
      task.state,
      task.line,
      Math.min(task.reviewCyclesCurrent, 1),
      task.failedBy,
      task.integrationFix,
      task.verdicts.length,
      task.reviewCommit,
    ]),
});
