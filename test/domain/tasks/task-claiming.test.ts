import { describe, expect, it } from "vitest";
import { step } from "../../../src/domain/kernel/state-machine.ts";
import { taskMachine } from "../../../src/domain/tasks/task.ts";
import type { TaskEvent } from "../../../src/domain/tasks/task-event.ts";
import { newTaskRecord, type TaskRecord } from "../../../src/domain/tasks/task-record.ts";
import { roundsLeft } from "../../../src/domain/tasks/task-rules-claiming.ts";
import { AT, HOUR } from "../../factories/moment.ts";
import { aTask } from "../../factories/records.ts";
import { moved } from "../machines/moved.ts";
import { taskEvent } from "../machines/task-events.ts";

const base = { at: AT, actor: "alice" };
const after = (task: TaskRecord | undefined, event: TaskEvent) =>
  step(taskMachine, task, event, newTaskRecord);

describe("a task that is opened", () => {
  it("has the issue's title, and is a draft only when the issue is one", () => {
    const fields = { repositoryId: 7, issue: 42, title: "Add a dark mode", createdAt: AT };
    expect(after(undefined, taskEvent("OPEN", { draft: true }))).toMatchObject({
      snapshot: { ...fields, state: "DRAFT" },
    });
    expect(after(undefined, taskEvent("OPEN"))).toMatchObject({
      snapshot: { ...fields, state: "UNCLAIMED" },
    });
  });
});

describe("a claim", () => {
  it("is refused while a blocker is open, and the wish is kept", () => {
    expect(
      after(aTask({ state: "UNCLAIMED" }), taskEvent("CLAIM", { openBlockers: ["#7", "#9"] })),
    ).toMatchObject({
      ok: false,
      code: "guard_refused",
      rule: "open_blocker",
      reason: "blocked by #7, #9",
      keeps: true,
    });
  });

  it("sets coder, worktree and lease", () => {
    const free = aTask({ state: "UNCLAIMED", assigneeId: null, worktree: null, leaseUntil: null });
    expect(after(free, taskEvent("CLAIM"))).toMatchObject({
      snapshot: { assigneeId: 11, line: 11, worktree: "feat-dev-issue-42", leaseUntil: AT + HOUR },
    });
  });

  it("forgets the current rounds of review, not all of them and nobody's failure, when another coder claims", () => {
    const free = aTask({
      state: "UNCLAIMED",
      reviewCyclesCurrent: 2,
      reviewCyclesTotal: 4,
      failedBy: [10],
    });
    const kept = { state: "CLAIMED", reviewCyclesTotal: 4, failedBy: [10] };
    expect(after({ ...free, line: 10 }, taskEvent("CLAIM"))).toMatchObject({
      snapshot: { ...kept, reviewCyclesCurrent: 0 },
    });
    expect(after({ ...free, line: 11 }, taskEvent("CLAIM"))).toMatchObject({
      snapshot: { ...kept, reviewCyclesCurrent: 2 },
    });
  });

  it("from nothing or of another coder is no fixing of a failed integration", () => {
    const fixing = { integrationFix: true, line: 10 };
    expect(after(aTask({ ...fixing, state: "UNCLAIMED" }), taskEvent("CLAIM"))).toMatchObject({
      snapshot: { integrationFix: false },
    });
    expect(after(aTask({ ...fixing, state: "REJECTED" }), taskEvent("REASSIGN"))).toMatchObject({
      snapshot: { integrationFix: false },
    });
  });

  it("after a failed integration says so, and keeps the rounds", () => {
    const failed = aTask({ state: "INTEGRATION_FAILED", reviewCyclesCurrent: 2, integrationFix: false });
    expect(after(failed, taskEvent("CLAIM_FIX"))).toMatchObject({
      snapshot: { state: "CLAIMED", integrationFix: true, reviewCyclesCurrent: 2, leaseUntil: AT + HOUR },
    });
  });
});

describe("a rejected task", () => {
  const rejected = aTask({ state: "REJECTED", line: 11, reviewCyclesCurrent: 4, reviewCyclesTotal: 4 });

  it("is taken back by the same coder in a new attempt, with its counts and a new lease", () => {
    expect(after({ ...rejected, leaseUntil: null }, taskEvent("RECLAIM", { agentId: 15 }))).toMatchObject({
      snapshot: { state: "CLAIMED", reviewCyclesCurrent: 4, assigneeId: 15, leaseUntil: AT + HOUR },
    });
  });

  it("is not taken back when its rounds are used up", () => {
    expect(after({ ...rejected, reviewCyclesCurrent: 5 }, taskEvent("RECLAIM"))).toMatchObject({
      ok: false,
      rule: "review_deadlock",
    });
  });

  it("is reassigned to another coder, who begins with no rounds", () => {
    expect(after(rejected, taskEvent("REASSIGN"))).toMatchObject({
      snapshot: { assigneeId: 12, line: 12, reviewCyclesCurrent: 0, reviewCyclesTotal: 4 },
    });
  });

  it("tells the same coder from another", () => {
    expect(after(rejected, taskEvent("RECLAIM", { line: 12 }))).toMatchObject({ rule: "other_coder" });
    expect(after(rejected, taskEvent("REASSIGN", { line: 11 }))).toMatchObject({ rule: "same_coder" });
  });
});

const failed = (failedBy: number[]) =>
  after(aTask({ failedBy }), { ...base, type: "BLOCK", cause: "coders_failed", failed: 11 });

describe("a blocked task", () => {
  it("says why it needs replanning, and its lease is over", () => {
    expect(after(aTask(), taskEvent("BLOCK"))).toMatchObject({
      snapshot: { state: "BLOCKED", blockedReason: "two issues in one", leaseUntil: null },
    });
    expect(after(aTask(), { ...base, type: "BLOCK", cause: "replanning", reason: " " })).toMatchObject({
      rule: "no_reason",
    });
  });

  it.each(["review_deadlock", " coders_failed "])(
    "keeps a coder's word %j apart from what the host finds",
    (reason) => {
      expect(after(aTask(), { ...base, type: "BLOCK", cause: "replanning", reason })).toMatchObject({
        snapshot: { blockedReason: `its coder says: ${reason}` },
      });
    },
  );

  it("is what a second coder's failure leaves, not a first one's", () => {
    expect(failed([])).toMatchObject({ rule: "first_to_fail" });
    expect(failed([11])).toMatchObject({ rule: "first_to_fail" });
    expect(failed([10])).toMatchObject({
      snapshot: { state: "BLOCKED", blockedReason: "coders_failed", failedBy: [10, 11] },
    });
  });

  it("is free again when it is rescoped, and remembers who failed", () => {
    const blocked = aTask({ state: "BLOCKED", blockedReason: "coders_failed", failedBy: [10, 11] });
    expect(after(blocked, taskEvent("RESCOPE"))).toMatchObject({
      snapshot: {
        state: "UNCLAIMED",
        failedBy: [10, 11],
        assigneeId: null,
        worktree: null,
        blockedReason: null,
      },
    });
  });

  it("names what takes its place, and why", () => {
    const blocked = aTask({ state: "BLOCKED", blockedReason: "x" });
    expect(after(blocked, taskEvent("SUPERSEDE"))).toMatchObject({
      snapshot: { state: "SUPERSEDED", supersededBy: 50, rescopeReason: "split in two" },
    });
    expect(after(blocked, taskEvent("SUPERSEDE", { reason: "" }))).toMatchObject({ rule: "no_reason" });
  });
});

describe("a task that is free again after its block", () => {
  const blocked = aTask({ state: "BLOCKED", reviewCyclesCurrent: 7, roundsGranted: 2 });
  const rounds = { by: ["alice"], count: 3, maxCycles: 5 };

  it("has as many rounds of review left as were given after a deadlock", () => {
    const given = after({ ...blocked, blockedReason: "review_deadlock" }, taskEvent("RESCOPE", { rounds }));
    const { snapshot } = moved(given);
    expect(snapshot).toMatchObject({ state: "UNCLAIMED", blockedReason: null, reviewCyclesCurrent: 7 });
    expect(roundsLeft(snapshot, 5)).toBe(3);
  });

  it("keeps the rounds that it had after any other block, and where nobody gave some", () => {
    for (const [blockedReason, event] of [
      ["two issues in one", taskEvent("RESCOPE", { rounds })],
      ["review_deadlock", taskEvent("RESCOPE")],
    ] as const)
      expect(after({ ...blocked, blockedReason }, event)).toMatchObject({ snapshot: { roundsGranted: 2 } });
  });
});

const release = (line: number | null) => taskEvent("RELEASE", { failed: line });

describe("a released task", () => {
  it("has no coder, worktree, lease or verdicts, and knows once who failed", () => {
    const free = {
      state: "UNCLAIMED",
      assigneeId: null,
      leaseUntil: null,
      worktree: null,
      verdicts: [],
      line: 11,
    };
    const held = aTask({
      failedBy: [9],
      verdicts: [{ reviewer: "bob", account: 6, commit: "c".repeat(40), at: AT }],
    });
    expect(after(held, release(11))).toMatchObject({ snapshot: { ...free, failedBy: [9, 11] } });
    expect(after(held, release(9))).toMatchObject({ snapshot: { ...free, failedBy: [9] } });
    expect(after(held, release(null))).toMatchObject({ snapshot: { ...free, failedBy: [9] } });
  });

  it("needs no review any more", () => {
    const review = after(aTask({ state: "READY_FOR_REVIEW" }), taskEvent("RELEASE"));
    expect(review).toMatchObject({ emits: [{ machine: "review_lease", event: { type: "EXPIRE" } }] });
    expect(after(aTask(), taskEvent("RELEASE"))).toMatchObject({ emits: [] });
  });
});

describe("what a person did on GitHub", () => {
  it("leaves a merged task without worktree and lease, and an abandoned one without lease", () => {
    expect(after(aTask(), taskEvent("OBSERVED_MERGED"))).toMatchObject({
      snapshot: { state: "MERGED", mergeCommit: "c".repeat(40), worktree: null, leaseUntil: null },
      emits: [],
    });
    expect(after(aTask(), taskEvent("OBSERVED_CLOSED"))).toMatchObject({
      snapshot: { state: "ABANDONED", leaseUntil: null },
      emits: [],
    });
  });

  it.each(["OBSERVED_MERGED", "OBSERVED_CLOSED"] as const)("ends the review under way: %s", (type) => {
    expect(after(aTask({ state: "READY_FOR_REVIEW" }), taskEvent(type))).toMatchObject({
      emits: [{ machine: "review_lease", event: { type: "EXPIRE" } }],
    });
  });
});
