import { describe, expect, it } from "vitest";
import { NEW, step } from "../../../src/core/machine.ts";
import {
  blankTask,
  isOpenTask,
  TASK_STATES,
  type TaskEvent,
  type TaskRecord,
  taskMachine,
  taskRecord,
} from "../../../src/core/machines/task.ts";
import { AT, HOUR } from "../../factories/moment.ts";
import { aTask } from "../../factories/records.ts";
import { type Arrow, arrowsOf, printArrow } from "./arrow.ts";
import { machineContract, type Witness } from "./machine-contract.ts";
import { TASK_TABLE } from "./task-table.ts";

const base = { at: AT, actor: "alice" };
const COMMIT = "c".repeat(40);

const open = (draft: boolean): TaskEvent => ({
  ...base,
  type: "OPEN",
  repositoryId: 7,
  issue: 42,
  title: "Add a dark mode",
  draft,
});
const claim = (type: "CLAIM" | "RECLAIM", openBlockers: readonly number[] = []): TaskEvent => ({
  ...base,
  type,
  agentId: 11,
  leaseUntil: AT + HOUR,
  openBlockers,
});
const request = (commit: string | null): TaskEvent => ({ ...base, type: "REQUEST_REVIEW", commit });
const release = (failed: number | null): TaskEvent => ({ ...base, type: "RELEASE", failed });

function eventFor({ event, to }: Arrow): TaskEvent {
  const type = taskMachine.events.find((known) => known === event);
  switch (type) {
    case undefined:
      throw new Error(`the task has no event ${event}`);
    case "OPEN":
      return open(to === "DRAFT");
    case "CLAIM":
    case "RECLAIM":
      return claim(type);
    case "REQUEST_REVIEW":
    case "OBSERVED_MERGED":
      return { ...base, type, commit: COMMIT };
    case "RELEASE":
      return release(null);
    case "REJECT":
      return { ...base, type, reason: "no tests" };
    default:
      return { ...base, type };
  }
}

const witness = (arrow: Arrow): Witness<TaskRecord, TaskEvent> => {
  const reviewed = arrow.event === "REQUEST_REVIEW" && arrow.from === arrow.to;
  return { event: eventFor(arrow), ...(reviewed ? { snapshot: { reviewCommit: COMMIT } } : {}) };
};

machineContract({
  machine: taskMachine,
  blank: blankTask,
  start: NEW,
  witness,
  terminalTakes: [],
  unreached: ["APPROVED", "INTEGRATION_FAILED", "BLOCKED", "SUPERSEDED"],
});

const after = (task: TaskRecord | undefined, event: TaskEvent) => step(taskMachine, task, event, blankTask);

describe("the task's table", () => {
  it("has no arrow that the design has not", () => {
    const arrows = arrowsOf(taskMachine).map(printArrow);
    expect(arrows.filter((arrow) => !TASK_TABLE.includes(arrow))).toEqual([]);
  });

  it("lets nothing but a person's merge lead to MERGED, and no claim begin at a draft", () => {
    const arrows = arrowsOf(taskMachine);
    expect(new Set(arrows.filter(({ to }) => to === "MERGED").map(({ event }) => event))).toEqual(
      new Set(["OBSERVED_MERGED"]),
    );
    expect(arrows.filter(({ from, to }) => from === "DRAFT" && to === "CLAIMED")).toEqual([]);
  });

  it("begins with a record that can be stored and says nothing yet", () => {
    expect(taskRecord.parse(blankTask)).toEqual(blankTask);
    expect(Object.values(blankTask).filter((value) => typeof value === "string")).toEqual(["UNCLAIMED", ""]);
  });

  it("knows which states are open", () => {
    expect(TASK_STATES.filter((state) => !isOpenTask({ state }))).toEqual([
      "MERGED",
      "SUPERSEDED",
      "ABANDONED",
    ]);
  });
});

describe("a task", () => {
  it("opens with the issue's title, as a draft only when the issue is one", () => {
    const fields = { repositoryId: 7, issue: 42, title: "Add a dark mode", createdAt: AT };
    expect(after(undefined, open(true))).toMatchObject({ snapshot: { ...fields, state: "DRAFT" } });
    expect(after(undefined, open(false))).toMatchObject({ snapshot: { ...fields, state: "UNCLAIMED" } });
  });

  it("is not claimed while a blocker is open, and the wish is kept", () => {
    expect(after(aTask({ state: "UNCLAIMED" }), claim("CLAIM", [7, 9]))).toMatchObject({
      ok: false,
      code: "guard_refused",
      rule: "open_blocker",
      reason: "blocked by #7, #9",
      keeps: true,
    });
  });

  it("forgets the current review cycles when another coder claims it", () => {
    const free = { state: "UNCLAIMED", reviewCyclesCurrent: 2, reviewCyclesTotal: 4 } as const;
    const claimed = { state: "CLAIMED", assigneeId: 11, leaseUntil: AT + HOUR, reviewCyclesTotal: 4 };
    expect(after(aTask({ ...free, assigneeId: 10 }), claim("CLAIM"))).toMatchObject({
      snapshot: { ...claimed, reviewCyclesCurrent: 0 },
    });
    expect(after(aTask({ ...free, assigneeId: 11 }), claim("CLAIM"))).toMatchObject({
      snapshot: { ...claimed, reviewCyclesCurrent: 2 },
    });
  });

  it("keeps its counts when the same coder takes it back after a rejection", () => {
    const rejected = aTask({ state: "REJECTED", reviewCyclesCurrent: 2, reviewCyclesTotal: 2 });
    expect(after(rejected, claim("RECLAIM"))).toMatchObject({
      snapshot: { state: "CLAIMED", reviewCyclesCurrent: 2, reviewCyclesTotal: 2, assigneeId: 11 },
    });
  });

  it("goes into review only with a pushed commit", () => {
    expect(after(aTask(), request(null))).toMatchObject({ ok: false, rule: "no_commit", keeps: false });
    expect(after(aTask(), request(COMMIT))).toMatchObject({
      snapshot: { state: "READY_FOR_REVIEW", reviewCommit: COMMIT, leaseUntil: null },
    });
  });

  it("takes a second request for the same commit as no news, and refuses one for another", () => {
    const ready = aTask({ state: "READY_FOR_REVIEW", reviewCommit: COMMIT });
    expect(after(ready, { ...base, type: "REQUEST_REVIEW", commit: COMMIT })).toMatchObject({
      ok: true,
      snapshot: ready,
      effects: [],
      emits: [],
    });
    expect(after(ready, { ...base, type: "REQUEST_REVIEW", commit: "d".repeat(40) })).toMatchObject({
      ok: false,
      rule: "other_commit",
    });
  });

  it("remembers once who failed at it when it is released", () => {
    expect(after(aTask({ failedBy: [9] }), release(11))).toMatchObject({
      snapshot: {
        state: "UNCLAIMED",
        failedBy: [9, 11],
        assigneeId: null,
        leaseUntil: null,
        worktreePath: null,
        reviewer: null,
      },
    });
    expect(after(aTask({ failedBy: [11] }), release(11))).toMatchObject({ snapshot: { failedBy: [11] } });
    expect(after(aTask({ failedBy: [9] }), release(null))).toMatchObject({ snapshot: { failedBy: [9] } });
  });

  it("counts a rejection twice, for this coder and in all", () => {
    const ready = aTask({ state: "READY_FOR_REVIEW", reviewCyclesCurrent: 1, reviewCyclesTotal: 3 });
    expect(after(ready, { ...base, type: "REJECT", reason: "no tests" })).toMatchObject({
      snapshot: {
        state: "REJECTED",
        rejectionReason: "no tests",
        reviewCyclesCurrent: 2,
        reviewCyclesTotal: 4,
      },
    });
  });

  it("has no worktree and no lease once it is merged, and no lease once its issue is closed", () => {
    const held = aTask({ worktreePath: "/data/worktrees/7/x" });
    expect(after(held, { ...base, type: "OBSERVED_MERGED", commit: COMMIT })).toMatchObject({
      snapshot: { state: "MERGED", mergeCommit: COMMIT, worktreePath: null, leaseUntil: null },
    });
    expect(after(held, { ...base, type: "OBSERVED_CLOSED" })).toMatchObject({
      snapshot: { state: "ABANDONED", leaseUntil: null },
    });
  });
});
