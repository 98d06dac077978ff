import { describe, expect, it } from "vitest";
import { step } from "../../../src/domain/kernel/state-machine.ts";
import { taskMachine } from "../../../src/domain/tasks/task.ts";
import { newTaskRecord, type TaskRecord } from "../../../src/domain/tasks/task-record.ts";
import { AT } from "../../factories/moment.ts";
import { aTask } from "../../factories/records.ts";
import { COMMIT, OTHER, taskEvent } from "../machines/task-events.ts";

const ALICE = { reviewer: "alice", account: 5 };
const BOB = { reviewer: "bob", account: 6 };
const verdicts = [ALICE, BOB].map((by) => ({ ...by, commit: COMMIT, at: AT }));

const dismissal = (task: TaskRecord, dismissed: typeof ALICE, commit = COMMIT) =>
  step(taskMachine, task, taskEvent("NEW_COMMIT", { commit, dismissed }), newTaskRecord);

describe("an approval that is taken back", () => {
  it.each(["READY_FOR_REVIEW", "APPROVED"] as const)(
    "leaves those of others, and work in %s is up for review",
    (state) => {
      const task = aTask({ state, reviewCommit: COMMIT, verdicts });
      expect(dismissal(task, ALICE)).toMatchObject({
        snapshot: { state: "READY_FOR_REVIEW", reviewCommit: COMMIT, verdicts: [BOB] },
        // Who reviews it now reviews the same commit.
        emits: [],
      });
    },
  );

  it("is refused where it does not stand", () => {
    const task = aTask({ state: "APPROVED", reviewCommit: COMMIT, verdicts });
    expect(dismissal(task, { reviewer: "carol", account: 7 })).toMatchObject({
      ok: false,
      rule: "same_commit",
    });
  });

  it("is another thing than a new commit, which takes back all of them", () => {
    const task = aTask({ state: "APPROVED", reviewCommit: COMMIT, verdicts });
    expect(step(taskMachine, task, taskEvent("NEW_COMMIT", { commit: OTHER }), newTaskRecord)).toMatchObject({
      snapshot: { state: "READY_FOR_REVIEW", reviewCommit: OTHER, verdicts: [] },
    });
  });
});
