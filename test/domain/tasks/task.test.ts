import { describe, expect, it } from "vitest";
import { NEW, step } from "../../../src/domain/kernel/state-machine.ts";
import { UNKNOWN_ACCOUNT } from "../../../src/domain/review/reviewer.ts";
import { taskMachine } from "../../../src/domain/tasks/task.ts";
import type { TaskEvent } from "../../../src/domain/tasks/task-event.ts";
import {
  isOpenTask,
  newTaskRecord,
  TASK_STATES,
  type TaskRecord,
  taskRecord,
} from "../../../src/domain/tasks/task-record.ts";
import { AT } from "../../factories/moment.ts";
import { type Arrow, arrowsOf, printArrow } from "../machines/arrow.ts";
import { machineContract, type Witness } from "../machines/machine-contract.ts";
import { COMMIT, taskEvent } from "../machines/task-events.ts";
import { TASK_TABLE } from "../machines/task-table.ts";

const base = { at: AT, actor: "alice" };
const deadlock: TaskEvent = { ...base, type: "BLOCK", cause: "review_deadlock", maxCycles: 1 };

/** What an arrow needs beyond the usual event. */
const SPECIAL: Readonly<Record<string, Witness<TaskRecord, TaskEvent>>> = {
  [`${NEW} --OPEN--> DRAFT`]: { event: taskEvent("OPEN", { draft: true }) },
  "READY_FOR_REVIEW --APPROVE--> READY_FOR_REVIEW": {
    event: taskEvent("APPROVE", { reviewers: 2 }),
    snapshot: { reviewCommit: COMMIT },
  },
  "READY_FOR_REVIEW --APPROVE--> APPROVED": {
    event: taskEvent("APPROVE"),
    snapshot: { reviewCommit: COMMIT },
  },
  "APPROVED --NEW_COMMIT--> APPROVED": {
    event: taskEvent("NEW_COMMIT", { sameWork: COMMIT }),
    snapshot: { reviewCommit: COMMIT },
  },
  "APPROVED --MERGE--> MERGED": { event: taskEvent("MERGE"), snapshot: { reviewCommit: COMMIT } },
  "REJECTED --RECLAIM--> CLAIMED": { event: taskEvent("RECLAIM"), snapshot: { line: 11 } },
  "CLAIMED --RELEASE--> INTEGRATION_FAILED": {
    event: taskEvent("RELEASE"),
    snapshot: { integrationFix: true },
  },
  "REJECTED --BLOCK--> BLOCKED": { event: deadlock, snapshot: { reviewCyclesCurrent: 1 } },
};

const witness = (arrow: Arrow): Witness<TaskRecord, TaskEvent> => {
  const type = taskMachine.events.find((known) => known === arrow.event);
  if (type === undefined) throw new Error(`the task has no event ${arrow.event}`);
  return SPECIAL[printArrow(arrow)] ?? { event: taskEvent(type) };
};

machineContract({
  machine: taskMachine,
  blank: newTaskRecord,
  start: NEW,
  witness,
  terminalTakes: [],
  key: ({ state, reviewCommit, line, reviewCyclesCurrent, integrationFix }) =>
    `${state} ${reviewCommit} ${line} ${reviewCyclesCurrent > 0} ${integrationFix}`,
});

describe("the task's table", () => {
  const arrows = arrowsOf(taskMachine);

  it("has exactly the arrows of the design", () => {
    expect(arrows.map(printArrow).toSorted()).toEqual(TASK_TABLE);
  });

  it.each([
    ["DRAFT", "CLAIMED"],
    ["CLAIMED", "MERGED"],
    ["CLAIMED", "APPROVED"],
    ["REJECTED", "APPROVED"],
  ])("has no arrow from %s to %s but a person's merge", (from, to) => {
    const found = arrows.filter((arrow) => arrow.from === from && arrow.to === to);
    expect(found.filter(({ event }) => event !== "OBSERVED_MERGED")).toEqual([]);
  });

  it("has no arrow from where a task has ended", () => {
    expect(taskMachine.terminal).toEqual(["MERGED", "SUPERSEDED", "ABANDONED"]);
    expect(arrows.filter(({ from }) => (taskMachine.terminal as readonly string[]).includes(from))).toEqual(
      [],
    );
  });

  it("lets agents merge only what was approved", () => {
    const merges = arrows.filter(({ to, event }) => to === "MERGED" && event !== "OBSERVED_MERGED");
    expect(merges.map(printArrow)).toEqual(["APPROVED --MERGE--> MERGED"]);
  });

  it("begins with a record that can be stored and says nothing yet", () => {
    expect(taskRecord.parse(newTaskRecord)).toEqual(newTaskRecord);
    expect(Object.values(newTaskRecord).filter((value) => typeof value === "string")).toEqual([
      "UNCLAIMED",
      "",
    ]);
  });

  it("is read where its approvals were stored without accounts", () => {
    const stored = { ...newTaskRecord, verdicts: [{ reviewer: "alice", commit: "c1", at: 1 }] };
    expect(taskRecord.parse(stored).verdicts).toEqual([
      { reviewer: "alice", account: UNKNOWN_ACCOUNT, commit: "c1", at: 1 },
    ]);
  });

  it("knows which states are open", () => {
    expect(TASK_STATES.filter((state) => !isOpenTask({ state }))).toEqual([
      "MERGED",
      "SUPERSEDED",
      "ABANDONED",
    ]);
  });

  it("refuses a block for a reason that does not fit where the task stands", () => {
    const claimed = { ...newTaskRecord, id: 1, version: 1, state: "CLAIMED" as const };
    expect(step(taskMachine, claimed, deadlock)).toMatchObject({ rule: "not_rejected" });
    const rejected = { ...claimed, state: "REJECTED" as const, reviewCyclesCurrent: 9 };
    expect(step(taskMachine, rejected, taskEvent("BLOCK"))).toMatchObject({ rule: "rounds_left" });
  });
});
