import { describe, expect, it } from "vitest";
import { step } from "../../../src/domain/kernel/state-machine.ts";
import type { Reviewer } from "../../../src/domain/review/reviewer.ts";
import { taskMachine } from "../../../src/domain/tasks/task.ts";
import type { TaskEvent } from "../../../src/domain/tasks/task-event.ts";
import { isOfWork, type TaskRecord } from "../../../src/domain/tasks/task-record.ts";
import { AT } from "../../factories/moment.ts";
import { aTask } from "../../factories/records.ts";
import { moved } from "../machines/moved.ts";
import { COMMIT, OTHER, taskEvent } from "../machines/task-events.ts";

const after = (task: TaskRecord, event: TaskEvent) => step(taskMachine, task, event);
const dismissal = (dismissed: Reviewer) => taskEvent("NEW_COMMIT", { commit: COMMIT, dismissed });
const ready = aTask({ state: "READY_FOR_REVIEW", reviewCommit: COMMIT, leaseUntil: null });
const approved = aTask({
  state: "APPROVED",
  reviewCommit: COMMIT,
  verdicts: [{ reviewer: "alice", account: 5, commit: COMMIT, at: AT }],
});

describe("a review that is asked for", () => {
  it("needs a pushed commit, keeps the worktree and begins without verdicts", () => {
    expect(after(aTask(), taskEvent("REQUEST_REVIEW", { commit: null }))).toMatchObject({
      ok: false,
      rule: "no_commit",
      keeps: false,
    });
    const again = aTask({ verdicts: [{ reviewer: "bob", account: 6, commit: OTHER, at: AT }] });
    expect(after(again, taskEvent("REQUEST_REVIEW"))).toMatchObject({
      snapshot: {
        state: "READY_FOR_REVIEW",
        reviewCommit: COMMIT,
        leaseUntil: null,
        worktree: "feat-dev-issue-42",
        verdicts: [],
      },
    });
  });

  it("is refused while a review is under way: another commit is told as NEW_COMMIT", () => {
    expect(after(ready, taskEvent("REQUEST_REVIEW"))).toMatchObject({ code: "no_such_transition" });
  });
});

describe("an approval", () => {
  it("is kept until the last one that is needed", () => {
    const first = moved(after(ready, taskEvent("APPROVE", { reviewers: 2 }))).snapshot;
    expect(first).toMatchObject({
      state: "READY_FOR_REVIEW",
      verdicts: [{ reviewer: "alice", account: 5, commit: COMMIT, at: AT }],
    });
    expect(after(first, taskEvent("APPROVE", { reviewer: "bob", account: 6, reviewers: 2 }))).toMatchObject({
      snapshot: { state: "APPROVED", verdicts: [{ reviewer: "alice" }, { reviewer: "bob" }] },
    });
  });

  it("of the same reviewer counts once", () => {
    const first = moved(after(ready, taskEvent("APPROVE", { reviewers: 2 }))).snapshot;
    expect(after(first, taskEvent("APPROVE", { reviewers: 2 }))).toMatchObject({
      snapshot: { state: "READY_FOR_REVIEW", verdicts: [{ reviewer: "alice" }] },
    });
  });

  it("of the same account under another login counts once, of another account with that login as another", () => {
    const first = moved(after(ready, taskEvent("APPROVE", { reviewers: 2 }))).snapshot;
    const renamed = taskEvent("APPROVE", { reviewer: "alice-again", reviewers: 2 });
    expect(after(first, renamed)).toMatchObject({
      snapshot: { state: "READY_FOR_REVIEW", verdicts: [{ reviewer: "alice-again", account: 5 }] },
    });
    expect(after(first, taskEvent("APPROVE", { account: 6, reviewers: 2 }))).toMatchObject({
      snapshot: { state: "APPROVED", verdicts: [{ account: 5 }, { account: 6 }] },
    });
  });

  it("of a role is another than that of a person who is called so", () => {
    const first = moved(after(ready, taskEvent("APPROVE", { reviewers: 2 }))).snapshot;
    expect(after(first, taskEvent("APPROVE", { account: null, reviewers: 2 }))).toMatchObject({
      snapshot: { state: "APPROVED", verdicts: [{ account: 5 }, { account: null }] },
    });
  });

  it("is refused from the author, and for another commit than the one under review", () => {
    expect(after(ready, taskEvent("APPROVE", { reviewer: "feat-dev-issue-42" }))).toMatchObject({
      rule: "own_work",
    });
    expect(after(ready, taskEvent("APPROVE", { commit: OTHER }))).toMatchObject({ rule: "other_commit" });
  });

  it("gives the reviewer's lease back as its verdict; a person's ends another's review", () => {
    expect(after(ready, taskEvent("APPROVE", { leaseToken: 3 }))).toMatchObject({
      emits: [{ machine: "review_lease", event: { type: "VERDICT", token: 3 } }],
    });
    expect(after(ready, taskEvent("APPROVE"))).toMatchObject({
      emits: [{ machine: "review_lease", event: { type: "EXPIRE" } }],
    });
    expect(after(ready, taskEvent("APPROVE", { reviewers: 2, leaseToken: 3 }))).toMatchObject({
      emits: [{ machine: "review_lease", event: { type: "VERDICT", token: 3 } }],
    });
  });
});

describe("a rejection", () => {
  it("needs its reason, and counts twice: for this coder and in all", () => {
    expect(after(ready, taskEvent("REJECT", { reason: "" }))).toMatchObject({ rule: "no_reason" });
    const counted = { ...ready, reviewCyclesCurrent: 1, reviewCyclesTotal: 3 };
    expect(after(counted, taskEvent("REJECT", { leaseToken: 3 }))).toMatchObject({
      snapshot: {
        state: "REJECTED",
        rejectionReason: "no tests",
        rejectionSource: "review:55",
        reviewCyclesCurrent: 2,
        reviewCyclesTotal: 4,
      },
      emits: [{ machine: "review_lease", event: { type: "VERDICT", token: 3 } }],
    });
  });

  it("drops the approvals of others", () => {
    const half = { ...ready, verdicts: approved.verdicts };
    expect(after(half, taskEvent("REJECT"))).toMatchObject({ snapshot: { verdicts: [] } });
  });

  it("of approved work drops the approvals, counts as any other, and needs its reason", () => {
    expect(after(approved, taskEvent("REJECT"))).toMatchObject({
      snapshot: { state: "REJECTED", rejectionReason: "no tests", reviewCyclesCurrent: 1, verdicts: [] },
      emits: [],
    });
    expect(after(approved, taskEvent("REJECT", { reason: " " }))).toMatchObject({ rule: "no_reason" });
  });

  it("in the last round blocks the task, and the coder asks a person", () => {
    const last = moved(after({ ...ready, reviewCyclesCurrent: 4 }, taskEvent("REJECT", { maxCycles: 5 })));
    expect(last.emits.slice(1)).toMatchObject([
      { machine: "task", event: { type: "BLOCK", cause: "review_deadlock", maxCycles: 5 } },
    ]);
    const block: TaskEvent = {
      type: "BLOCK",
      at: AT,
      actor: "flotilla",
      cause: "review_deadlock",
      maxCycles: 5,
    };
    expect(after(last.snapshot, block)).toMatchObject({
      snapshot: { state: "BLOCKED", blockedReason: "review_deadlock" },
      emits: [
        {
          machine: "assignee",
          event: {
            type: "ESCALATE",
            category: "review_deadlock",
            reason: "its work was rejected 5 times in a row. The last reason: no tests",
          },
        },
      ],
    });
    expect(after({ ...last.snapshot, reviewCyclesCurrent: 4 }, block)).toMatchObject({
      rule: "rounds_left",
    });
  });

  it("by red checks or a conflict names them and counts no round", () => {
    const half = {
      ...ready,
      reviewCyclesCurrent: 1,
      verdicts: approved.verdicts,
      rejectionSource: "review:55",
    };
    expect(after(half, taskEvent("CHECKS_FAIL"))).toMatchObject({
      snapshot: {
        state: "REJECTED",
        rejectionReason: "the check `test` is red",
        rejectionSource: null,
        reviewCyclesCurrent: 1,
        verdicts: [],
      },
      emits: [{ machine: "review_lease", event: { type: "EXPIRE" } }],
    });
    expect(after(ready, taskEvent("CHECKS_FAIL", { reason: "" }))).toMatchObject({ rule: "no_reason" });
  });
});

describe("a dismissal", () => {
  const others = { reviewer: "alice", account: 6, commit: COMMIT, at: AT };
  const verdicts = [...approved.verdicts, others];

  it.each([ready, approved])(
    "voids the approval of that account alone, whatever its login: $state",
    (task) => {
      const renamed = dismissal({ reviewer: "alice-again", account: 5 });
      expect(after({ ...task, verdicts }, renamed)).toMatchObject({
        snapshot: { state: "READY_FOR_REVIEW", reviewCommit: COMMIT, verdicts: [others] },
        emits: [],
      });
    },
  );

  it("of somebody who has not approved is refused", () => {
    const stranger = dismissal({ reviewer: "alice", account: 7 });
    expect(after({ ...ready, verdicts }, stranger)).toMatchObject({ rule: "same_commit" });
  });
});

describe("a new commit", () => {
  it("under review drops the verdicts on the old one and ends its review", () => {
    const half = { ...ready, verdicts: approved.verdicts };
    expect(after(half, taskEvent("NEW_COMMIT"))).toMatchObject({
      snapshot: { state: "READY_FOR_REVIEW", reviewCommit: OTHER, verdicts: [] },
      emits: [{ machine: "review_lease", event: { type: "NEW_COMMIT" } }],
    });
  });

  it("makes an approval void", () => {
    expect(after(approved, taskEvent("NEW_COMMIT"))).toMatchObject({
      snapshot: { state: "READY_FOR_REVIEW", reviewCommit: OTHER, verdicts: [] },
    });
  });

  it("that is nothing but a clean merge of the base takes the approval along", () => {
    const carried = after(approved, taskEvent("NEW_COMMIT", { sameWork: COMMIT }));
    expect(carried).toMatchObject({
      snapshot: {
        state: "APPROVED",
        reviewCommit: OTHER,
        carriedFrom: [COMMIT],
        verdicts: [{ commit: OTHER }],
      },
    });
    expect(after(approved, taskEvent("NEW_COMMIT", { sameWork: OTHER }))).toMatchObject({
      snapshot: { state: "READY_FOR_REVIEW" },
    });
  });

  it("is the same work as those that it was carried over from, until another one comes", () => {
    const carried = moved(after(approved, taskEvent("NEW_COMMIT", { sameWork: COMMIT }))).snapshot;
    const dismissed = { reviewer: "alice", account: 5 };
    const asked = moved(after(carried, taskEvent("NEW_COMMIT", { commit: OTHER, dismissed }))).snapshot;
    expect(asked).toMatchObject({ state: "READY_FOR_REVIEW", reviewCommit: OTHER, carriedFrom: [COMMIT] });
    expect([COMMIT, OTHER, null].map((commit) => isOfWork(asked, commit))).toEqual([true, true, false]);
    const another = moved(after(asked, taskEvent("NEW_COMMIT", { commit: "e".repeat(40) }))).snapshot;
    expect(another).toMatchObject({ carriedFrom: [] });
    expect(isOfWork(another, COMMIT)).toBe(false);
    const again = taskEvent("REQUEST_REVIEW", { commit: OTHER });
    expect(after({ ...carried, state: "CLAIMED" }, again)).toMatchObject({
      snapshot: { carriedFrom: [COMMIT] },
    });
  });

  it.each([ready, approved])("is none when it is the one under review: $state", (task) => {
    expect(after(task, taskEvent("NEW_COMMIT", { commit: COMMIT }))).toMatchObject({ rule: "same_commit" });
  });
});

describe("a merge", () => {
  it("is of the approved commit with green checks, and clears the worktree", () => {
    expect(after(approved, taskEvent("MERGE"))).toMatchObject({
      snapshot: { state: "MERGED", mergeCommit: OTHER, worktree: null, leaseUntil: null },
    });
    expect(after(approved, taskEvent("MERGE", { head: OTHER }))).toMatchObject({ rule: "other_commit" });
    expect(after(approved, taskEvent("MERGE", { checksGreen: false }))).toMatchObject({
      rule: "checks",
      keeps: true,
    });
  });

  it("that fails says why and keeps the worktree", () => {
    expect(after(approved, taskEvent("INTEGRATION_FAIL"))).toMatchObject({
      snapshot: {
        state: "INTEGRATION_FAILED",
        integrationReason: "it conflicts with main",
        worktree: "feat-dev-issue-42",
      },
    });
    expect(after(approved, taskEvent("INTEGRATION_FAIL", { reason: " " }))).toMatchObject({
      rule: "no_reason",
    });
  });
});
