import { expect, it } from "vitest";
import { nextOfWork } from "../../../src/domain/tasks/next-of-work.ts";
import { taskFacts } from "../../../src/domain/tasks/task-facts.ts";
import type { TaskRecord } from "../../../src/domain/tasks/task-record.ts";
import { aTask } from "../../factories/records.ts";

const commit = "abcdef0123456789abcdef0123456789abcdef01";

const STANDINGS: readonly (readonly [Partial<TaskRecord>, string])[] = [
  [{ state: "DRAFT" }, "DRAFT**; next: remove the label `draft`, or say `/flotilla start`"],
  [{ state: "UNCLAIMED" }, "UNCLAIMED**; you need to do nothing: its agent takes it when it starts"],
  [{ state: "CLAIMED" }, "CLAIMED**; you need to do nothing: its coder continues with it"],
  [
    { state: "CLAIMED", integrationFix: true, integrationReason: "a conflict" },
    "CLAIMED**; its coder fixes a failed merge (a conflict), then it is reviewed again",
  ],
  [
    { state: "READY_FOR_REVIEW", reviewCommit: commit },
    "READY_FOR_REVIEW**; commit abcdef0; next: review #50 on GitHub",
  ],
  [
    { state: "APPROVED", reviewCommit: commit, verdicts: [{ reviewer: "alice", account: 5, commit, at: 1 }] },
    "APPROVED**; commit abcdef0; approved by alice; next: merge #50 on GitHub; to let Flotilla do it, set `merge.auto: true` and `level: merge`",
  ],
  [
    { state: "REJECTED", rejectionReason: "No\ntest.", reviewCyclesTotal: 1 },
    "No test.; rejected once so far",
  ],
  [
    { state: "INTEGRATION_FAILED", integrationReason: "a conflict", reviewCyclesTotal: 2 },
    "a conflict; rejected 2 times so far; you need to do nothing: its coder fixes that, then it is reviewed again",
  ],
  [
    { state: "BLOCKED", blockedReason: "coders_failed", failedBy: [1, 2] },
    "needs replanning (coders_failed); 2 coders failed at it; next: say what to do differently, then `/flotilla start` or `/flotilla retry`; `/flotilla cancel` gives it up",
  ],
  [{ state: "MERGED", mergeCommit: commit, failedBy: [1] }, "MERGED**; as abcdef0; 1 coder failed at it"],
  [{ state: "MERGED", mergeCommit: null }, "as unknown"],
  [
    { state: "SUPERSEDED", supersededBy: 9, rescopeReason: "Too big." },
    "SUPERSEDED**; #9 takes its place: Too big.; you need to do nothing: another issue takes its place",
  ],
  [
    { state: "ABANDONED" },
    "ABANDONED**; next: to start again, say `/flotilla start` on the issue (reopen it first if it is closed)",
  ],
];

it.each(STANDINGS)("people read where a task stands: %j", (fields, said) => {
  expect(
    taskFacts(aTask({ verdicts: [], failedBy: [], ...fields }), { pull: 50, isReviewed: false }),
  ).toContain(said);
});

it("people read what to do where nobody fixes a failed merge, or its coder was rejected too often", () => {
  const nobody = { pull: 50, isReviewed: false, hasCoder: false };
  const failed = aTask({ state: "INTEGRATION_FAILED", integrationReason: "a conflict" });
  expect(taskFacts(failed, nobody)).toContain(
    "; next: no agent is fixing this: `/flotilla start [role]` has an agent fix it on the same branch",
  );
  expect(taskFacts(aTask({ state: "UNCLAIMED" }), nobody)).toContain(
    "; you need to do nothing: an agent takes it when one starts; `/flotilla start` starts one",
  );
  expect(taskFacts(aTask({ state: "REJECTED", rejectionReason: "No." }), nobody)).toContain(
    "; next: no agent works on this: `/flotilla start [role]` has an agent work on it",
  );
  const deadlock = aTask({ state: "BLOCKED", blockedReason: "review_deadlock", reviewCyclesCurrent: 5 });
  expect(taskFacts(deadlock, nobody)).toMatch(
    /rejected 5 times in a row \(review_deadlock\).*; next: `\/flotilla resume \[rounds\]`/,
  );
});

it.each(["SLEEPING", "ESCALATED"] as const)(
  "people read of a coder that is %s where it stands itself",
  (coderState) => {
    const around = { pull: null, isReviewed: false, coderState };
    expect(taskFacts(aTask({ state: "CLAIMED" }), around)).not.toContain("next");
    expect(nextOfWork("CLAIMED", around)).not.toContain("continues with it");
  },
);
