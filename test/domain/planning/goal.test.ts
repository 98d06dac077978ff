import { describe, expect, it } from "vitest";
import { NEW, step } from "../../../src/domain/kernel/state-machine.ts";
import {
  blankGoal,
  type GoalEvent,
  type GoalRecord,
  goalMachine,
  goalRecord,
} from "../../../src/domain/planning/goal.ts";
import { AT } from "../../factories/moment.ts";
import { type Arrow, arrowsOf, printArrow, written } from "../machines/arrow.ts";
import { machineContract, type Witness } from "../machines/machine-contract.ts";

const base = { at: AT, actor: "alice" };
const open = { ...base, type: "OPEN", repositoryId: 7, issue: 9, title: "A shop" } as const;
const complete = { ...base, type: "COMPLETE", openSubIssues: 0, openTasks: 0 } as const;
const abort = { ...base, type: "ABORT", why: "no budget" } as const;
const running: GoalRecord = { ...blankGoal, id: 71, version: 1 };

function witness({ event }: Arrow): Witness<GoalRecord, GoalEvent> {
  const found = [open, complete, abort].find(({ type }) => type === event);
  if (found === undefined) throw new Error(`the goal has no event ${event}`);
  return { event: found };
}

machineContract({ machine: goalMachine, blank: blankGoal, start: NEW, witness, terminalTakes: [] });

const after = (goal: GoalRecord | undefined, event: GoalEvent) => step(goalMachine, goal, event, blankGoal);

describe("a goal", () => {
  it("has exactly the arrows of the design", () => {
    expect(arrowsOf(goalMachine).map(printArrow).toSorted()).toEqual(
      written(
        [NEW, "OPEN", "IN_PROGRESS"],
        ["IN_PROGRESS", "COMPLETE", "COMPLETED"],
        ["IN_PROGRESS", "ABORT", "ABORTED"],
      ),
    );
    expect(goalRecord.parse(blankGoal)).toEqual(blankGoal);
  });

  it("begins with its tracking issue", () => {
    expect(after(undefined, open)).toMatchObject({
      snapshot: { state: "IN_PROGRESS", repositoryId: 7, issue: 9, title: "A shop", createdAt: AT },
    });
  });

  it("is complete when no sub-issue and no task is open", () => {
    expect(after(running, { ...complete, openSubIssues: 2 })).toMatchObject({ rule: "open_sub_issues" });
    expect(after(running, { ...complete, openTasks: 1 })).toMatchObject({ rule: "open_tasks" });
    expect(after(running, complete)).toMatchObject({ snapshot: { state: "COMPLETED", endedAt: AT } });
  });

  it("that is aborted aborts its sprints", () => {
    expect(after(running, abort)).toMatchObject({
      snapshot: { state: "ABORTED", reason: "no budget", endedAt: AT },
      emits: [{ machine: "sprints", event: { type: "ABORT", why: "no budget", actor: "alice" } }],
    });
  });
});
