import { describe, expect, it } from "vitest";
import { NEW, step } from "../../../src/domain/kernel/state-machine.ts";
import {
  blankSprint,
  type SprintEvent,
  type SprintRecord,
  sprintMachine,
  sprintRecord,
} from "../../../src/domain/planning/sprint.ts";
import { AT, HOUR } from "../../factories/moment.ts";
import { type Arrow, arrowsOf, printArrow, written } from "../machines/arrow.ts";
import { machineContract, type Witness } from "../machines/machine-contract.ts";

const base = { at: AT, actor: "alice" };
const open = {
  ...base,
  type: "OPEN",
  repositoryId: 7,
  goalId: 3,
  milestone: 2,
  title: "First release",
  dueAt: AT + HOUR,
} as const;
const checkpoint = { ...base, type: "CHECKPOINT", cause: "person", why: "let me look" } as const;
const running: SprintRecord = { ...blankSprint, id: 61, version: 1, title: "First release" };
const held: SprintRecord = { ...running, state: "CHECKPOINT", reason: "let me look" };

function witness({ event }: Arrow): Witness<SprintRecord, SprintEvent> {
  switch (event) {
    case "OPEN":
      return { event: open };
    case "CHECKPOINT":
      return { event: checkpoint };
    case "CONTINUE":
      return { event: { ...base, type: event } };
    case "ABORT":
      return { event: { ...base, type: event, why: "we do something else" } };
    case "TASKS_DONE":
      return { event: { ...base, type: event, tasks: 2, open: 0 } };
    default:
      throw new Error(`the sprint has no event ${event}`);
  }
}

machineContract({ machine: sprintMachine, blank: blankSprint, start: NEW, witness, terminalTakes: [] });

const after = (sprint: SprintRecord | undefined, event: SprintEvent) =>
  step(sprintMachine, sprint, event, blankSprint);

const done = (tasks: number, left: number): SprintEvent => ({
  ...base,
  type: "TASKS_DONE",
  tasks,
  open: left,
});

describe("a sprint", () => {
  it("has exactly the arrows of the design", () => {
    expect(arrowsOf(sprintMachine).map(printArrow).toSorted()).toEqual(
      written(
        [NEW, "OPEN", "IN_PROGRESS"],
        ["IN_PROGRESS", "CHECKPOINT", "CHECKPOINT"],
        ["CHECKPOINT", "CONTINUE", "IN_PROGRESS"],
        ["IN_PROGRESS CHECKPOINT", "ABORT", "ABORTED"],
        ["IN_PROGRESS", "TASKS_DONE", "COMPLETED"],
      ),
    );
    expect(sprintRecord.parse(blankSprint)).toEqual(blankSprint);
  });

  it("begins with its milestone, goal and due date", () => {
    expect(after(undefined, open)).toMatchObject({
      snapshot: { goalId: 3, milestone: 2, title: "First release", dueAt: AT + HOUR, createdAt: AT },
    });
  });

  it("at a checkpoint pauses the agents at work and says why", () => {
    expect(after(running, checkpoint)).toMatchObject({
      snapshot: { state: "CHECKPOINT", reason: "let me look" },
      emits: [
        {
          machine: "agents",
          which: "active",
          event: { type: "PAUSE", holder: "sprint", why: "let me look", actor: "alice" },
        },
      ],
    });
  });

  it("continues: lifts its own hold only, and looks whether it is done", () => {
    expect(after(held, { ...base, type: "CONTINUE" })).toMatchObject({
      snapshot: { state: "IN_PROGRESS", reason: null, answeredDueAt: null },
      emits: [
        { machine: "agents", which: "held", event: { type: "RESUME", holders: ["sprint"] } },
        { machine: "sprint", ask: "TASKS_DONE" },
      ],
    });
  });

  it("stops at its due date once: a person's word answers that date", () => {
    const due = { ...checkpoint, cause: "due", why: "its due date passed" } as const;
    const dated = { ...running, dueAt: AT };
    expect(after(running, due)).toMatchObject({ rule: "not_due" });
    expect(after({ ...running, dueAt: AT + 1 }, due)).toMatchObject({ rule: "not_due" });
    expect(after(dated, due)).toMatchObject({ snapshot: { state: "CHECKPOINT" } });
    const answered = after({ ...dated, state: "CHECKPOINT" }, { ...base, type: "CONTINUE" });
    expect(answered).toMatchObject({ snapshot: { answeredDueAt: AT } });
    expect(after({ ...dated, answeredDueAt: AT }, due)).toMatchObject({ rule: "answered" });
    expect(after({ ...dated, answeredDueAt: AT - HOUR }, due)).toMatchObject({ ok: true });
  });

  it("that continues before its due date still stops at it", () => {
    expect(after({ ...held, dueAt: AT + 1 }, { ...base, type: "CONTINUE" })).toMatchObject({
      snapshot: { answeredDueAt: null },
    });
  });

  it.each([running, held])("that is aborted cancels its agents, from $state", (sprint) => {
    expect(after(sprint, { ...base, type: "ABORT", why: "we do something else" })).toMatchObject({
      snapshot: { state: "ABORTED", reason: "we do something else", endedAt: AT },
      emits: [
        {
          machine: "agents",
          which: "live",
          event: { type: "CANCEL", why: "we do something else", quiet: false },
        },
      ],
    });
  });

  it("is complete with at least one task and none open", () => {
    expect(after(running, done(0, 0))).toMatchObject({ rule: "no_tasks" });
    expect(after(running, done(3, 1))).toMatchObject({
      rule: "open_tasks",
      reason: "1 of its tasks are open",
    });
    expect(after(running, done(3, 0))).toMatchObject({ snapshot: { state: "COMPLETED", endedAt: AT } });
  });
});
