import { describe, expect, it } from "vitest";
import type { TaskRecord } from "../../../src/domain/tasks/task-record.ts";
import { AT, HOUR } from "../../factories/moment.ts";
import { CODER, OTHER, taskWalker } from "../task-walker.ts";
import { follow, type Pattern, refused, type Way } from "../walker.ts";

const NEW_LEASE = AT + HOUR;
const claimed = (line: number): Pattern => ({ type: "CLAIM", line });
const released = (failed: number | null): Pattern => ({ type: "RELEASE", failed });

const rejected = (): Way<TaskRecord> =>
  follow(taskWalker, taskWalker.reach("UNCLAIMED"), claimed(CODER), "REQUEST_REVIEW", "REJECT");
const failedOnce = (): Way<TaskRecord> =>
  follow(taskWalker, taskWalker.reach("UNCLAIMED"), claimed(CODER), released(CODER), claimed(OTHER));
const integrationFailed = (): Way<TaskRecord> =>
  follow(
    taskWalker,
    taskWalker.reach("UNCLAIMED"),
    claimed(CODER),
    "REQUEST_REVIEW",
    "APPROVE",
    "INTEGRATION_FAIL",
  );

type Fields = Partial<TaskRecord>;
type Kept = readonly (keyof TaskRecord)[];

/** Its six requirements: what a move must set, and what it must keep. */
const REQUIREMENTS: readonly {
  readonly move: string;
  readonly before: () => Way<TaskRecord>;
  readonly by: Pattern;
  readonly sets: Fields;
  readonly keeps: Kept;
}[] = [
  {
    move: "REJECTED to CLAIMED, same coder",
    before: rejected,
    by: { type: "RECLAIM", line: CODER },
    sets: { leaseUntil: NEW_LEASE },
    keeps: ["worktree", "reviewCyclesCurrent", "reviewCyclesTotal", "line"],
  },
  {
    move: "REJECTED to CLAIMED, different coder",
    before: rejected,
    by: { type: "REASSIGN", line: OTHER },
    sets: { leaseUntil: NEW_LEASE, assigneeId: OTHER, reviewCyclesCurrent: 0, worktree: `worktree-${OTHER}` },
    keeps: ["reviewCyclesTotal"],
  },
  {
    move: "INTEGRATION_FAILED to CLAIMED",
    before: integrationFailed,
    by: { type: "CLAIM_FIX", line: CODER },
    sets: { leaseUntil: NEW_LEASE, integrationFix: true },
    keeps: ["worktree"],
  },
  {
    move: "BLOCKED to UNCLAIMED",
    before: () => follow(taskWalker, failedOnce(), { type: "BLOCK", cause: "coders_failed", failed: OTHER }),
    by: "RESCOPE",
    sets: { worktree: null, blockedReason: null },
    keeps: ["failedBy"],
  },
  {
    move: "UNCLAIMED to CLAIMED, reassigned",
    before: () => follow(taskWalker, rejected(), released(CODER)),
    by: claimed(OTHER),
    sets: { leaseUntil: NEW_LEASE, assigneeId: OTHER, reviewCyclesCurrent: 0, worktree: `worktree-${OTHER}` },
    keeps: ["failedBy", "reviewCyclesTotal"],
  },
  {
    move: "APPROVED to MERGED",
    before: () => follow(taskWalker, taskWalker.reach("READY_FOR_REVIEW"), "APPROVE"),
    by: "MERGE",
    sets: { worktree: null },
    keeps: [],
  },
];

const cycles = (way: Way<TaskRecord>) => [way.snapshot?.reviewCyclesCurrent, way.snapshot?.reviewCyclesTotal];

/** What the document says a move of a task must set, clear and keep. */
export function taskRequirements(): void {
  describe("the requirements of a move", () => {
    it.each(REQUIREMENTS)("$move", ({ before, by, sets, keeps }) => {
      const from = before();
      const to = follow(taskWalker, from, by);
      expect(to.snapshot).toMatchObject(sets);
      const kept = (way: Way<TaskRecord>) => keeps.map((field) => way.snapshot?.[field]);
      expect(kept(to)).toEqual(kept(from));
      expect(kept(from)).not.toContain(null);
    });

    it("a merge clears the worktree whatever state a person merged it in", () => {
      for (const state of ["CLAIMED", "READY_FOR_REVIEW", "REJECTED", "APPROVED", "INTEGRATION_FAILED"]) {
        const way = taskWalker.reach("CLAIMED", state);
        expect(way.snapshot?.worktree).not.toBeNull();
        expect(follow(taskWalker, way, "OBSERVED_MERGED").snapshot?.worktree).toBeNull();
      }
    });

    it("a claim always has a lease, wherever it came from", () => {
      for (const from of ["UNCLAIMED", "REJECTED", "INTEGRATION_FAILED"]) {
        const way = taskWalker.pathThrough(taskWalker.reach(from), ["CLAIMED"], { bound: 1 });
        expect(way?.snapshot?.leaseUntil).toBe(NEW_LEASE);
      }
    });
  });

  describe("the rounds of review", () => {
    it("are counted twice: for this coder, and for the task", () => {
      const again = follow(
        taskWalker,
        rejected(),
        { type: "RECLAIM", line: CODER },
        "REQUEST_REVIEW",
        "REJECT",
      );
      expect(cycles(rejected())).toEqual([1, 1]);
      expect(cycles(again)).toEqual([2, 2]);
    });

    it("begin again for another coder, and are never forgotten in total", () => {
      const other = follow(taskWalker, rejected(), { type: "REASSIGN", line: OTHER });
      expect(cycles(other)).toEqual([0, 1]);
      expect(cycles(follow(taskWalker, other, "REQUEST_REVIEW", "REJECT"))).toEqual([1, 2]);
    });

    it("end in a deadlock by the count for this coder, not by the total", () => {
      const deadlock = { type: "BLOCK", cause: "review_deadlock", maxCycles: 1 };
      const other = follow(taskWalker, rejected(), { type: "REASSIGN", line: OTHER }, "REQUEST_REVIEW");
      expect(follow(taskWalker, rejected(), deadlock).snapshot).toMatchObject({ state: "BLOCKED" });
      expect(refused(taskWalker, other, deadlock)).toHaveLength(1);
      expect(refused(taskWalker, rejected(), { type: "RECLAIM", line: CODER, maxCycles: 1 })).toMatchObject([
        { code: "guard_refused" },
      ]);
    });
  });

  describe("the worktree at a change of hands", () => {
    it("is kept for the same coder, new for another, and kept to fix an integration", () => {
      const same = follow(taskWalker, rejected(), { type: "RECLAIM", line: CODER });
      const other = follow(taskWalker, rejected(), { type: "REASSIGN", line: OTHER });
      const fix = follow(taskWalker, integrationFailed(), { type: "CLAIM_FIX", line: CODER });
      expect([same, other, fix].map(({ snapshot }) => snapshot?.worktree)).toEqual([
        `worktree-${CODER}`,
        `worktree-${OTHER}`,
        `worktree-${CODER}`,
      ]);
    });

    it("is given up when the task is", () => {
      expect(follow(taskWalker, rejected(), released(null)).snapshot?.worktree).toBeNull();
    });
  });
}
