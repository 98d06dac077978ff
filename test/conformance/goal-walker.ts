import { NEW } from "../../src/domain/kernel/state-machine.ts";
import { blankGoal, type GoalEvent, type GoalRecord, goalMachine } from "../../src/domain/planning/goal.ts";
import {
  blankSprint,
  type SprintEvent,
  type SprintRecord,
  sprintMachine,
} from "../../src/domain/planning/sprint.ts";
import { AT, HOUR } from "../factories/moment.ts";
import { type Walker, walkerOf } from "./walker.ts";

const base = { at: AT, actor: "alice" };

function goalEvents(type: GoalEvent["type"]): readonly GoalEvent[] {
  switch (type) {
    case "OPEN":
      return [{ ...base, type, repositoryId: 7, issue: 1, title: "Lamps" }];
    case "COMPLETE":
      return [
        [0, 0],
        [1, 0],
        [0, 1],
      ].map(([openSubIssues = 0, openTasks = 0]) => ({ ...base, type, openSubIssues, openTasks }));
    case "ABORT":
      return [{ ...base, type, why: "not needed" }];
  }
}

function sprintEvents(type: SprintEvent["type"]): readonly SprintEvent[] {
  switch (type) {
    case "OPEN":
      return [AT - HOUR, AT + HOUR].map((dueAt) => ({
        ...base,
        type,
        repositoryId: 7,
        goalId: null,
        milestone: 3,
        title: "First lamps",
        dueAt,
      }));
    case "CHECKPOINT":
      return (["person", "incident", "due"] as const).map((cause) => ({ ...base, type, cause, why: "look" }));
    case "CONTINUE":
      return [{ ...base, type }];
    case "ABORT":
      return [{ ...base, type, why: "not needed" }];
    case "TASKS_DONE":
      return [
        [2, 0],
        [2, 1],
        [0, 0],
      ].map(([tasks = 0, open = 0]) => ({ ...base, type, tasks, open }));
  }
}

/** The Goal with each of its events: all done, a sub-issue or a task still open. */
export const goalWalker: Walker<GoalRecord> = walkerOf({
  machine: goalMachine,
  blank: { ...blankGoal, id: 61, version: 1 },
  start: NEW,
  candidates: () => goalMachine.events.flatMap(goalEvents),
  key: ({ state }) => state,
});

/** The Sprint with each of its events: every cause of a checkpoint, a due date past or to come, tasks done or open. */
export const sprintWalker: Walker<SprintRecord> = walkerOf({
  machine: sprintMachine,
  blank: { ...blankSprint, id: 71, version: 1 },
  start: NEW,
  candidates: () => sprintMachine.events.flatMap(sprintEvents),
  key: ({ state, dueAt, answeredDueAt }) => `${state} ${dueAt ?? ""} ${answeredDueAt ?? ""}`,
});
