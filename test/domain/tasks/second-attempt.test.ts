import { expect, it } from "vitest";
import { revives } from "../../../src/domain/commands/steer.ts";
import { beginsAgain, isSecondDue, secondAttemptAt } from "../../../src/domain/tasks/second-attempt.ts";
import { newTaskRecord, type TaskRecord } from "../../../src/domain/tasks/task-record.ts";
import { aView } from "../../factories/a-view.ts";
import { anIssue } from "../../factories/an-occurrence.ts";
import { AT, HOUR, MINUTE } from "../../factories/moment.ts";
import { anAgent } from "../../factories/records.ts";
import { surroundings } from "../../factories/surroundings.ts";

const failed = anAgent({ state: "FAILED" });
const freed: TaskRecord = { ...newTaskRecord, state: "UNCLAIMED", failedBy: [failed.id] };
const later = { ...failed, id: failed.id + 1, attempt: 2 };
const reviewer = { ...later, coder: false };

it.each<[boolean, string, TaskRecord | null, readonly (typeof failed)[]]>([
  [true, "the task is as the failure left it", freed, [failed, reviewer]],
  [false, "its issue was closed", null, [failed]],
  [false, "somebody has taken it", { ...freed, state: "CLAIMED" }, [failed]],
  [false, "another coder failed at it", { ...freed, failedBy: [failed.id, later.id] }, [failed]],
  [false, "it failed at an earlier task", { ...freed, failedBy: [] }, [failed]],
  [false, "another attempt was begun", freed, [failed, later]],
])("that a second attempt is due is %s where %s", (due, _, task, agents) => {
  expect(isSecondDue(failed, task, agents)).toBe(due);
});

it("starts after five minutes, and after an hour where too many have started", () => {
  expect(secondAttemptAt(AT, null)).toBe(AT + 5 * MINUTE);
  expect(secondAttemptAt(AT, "3 agents were started")).toBe(AT + HOUR);
});

const holder = anAgent({ id: 11, state: "ACTIVE" });
const { work } = surroundings();

it.each([
  [true, "the coder is the first that fails at its task", { curable: true, around: surroundings() }],
  [false, "another attempt meets the same", { around: surroundings() }],
  [false, "it has no task", { curable: true, around: surroundings({ task: null }) }],
  [
    false,
    "another one failed before",
    { curable: true, around: surroundings({ work: { ...work, failedBy: [3] } }) },
  ],
])("that the host begins again is %s where %s", (expected, _, failure) => {
  expect(beginsAgain(holder, failure)).toBe(expected);
});

it("is born with the moment before which the host does not start it, and without one for a person's word", () => {
  const cause = { at: AT, actor: "flotilla", issue: anIssue(), personPull: null, why: "" };
  const born = (dueAt: number | null) =>
    revives(failed, aView({ agents: [failed], task: freed }), cause, dueAt)?.moves.at(-1)?.event;
  expect(born(AT + MINUTE)).toMatchObject({ type: "REVIVE", newAgent: { attempt: 2, dueAt: AT + MINUTE } });
  expect(born(null)).not.toHaveProperty("birth.dueAt");
});
