import { describe, expect, test } from "vitest";
import { isQueued } from "../../../src/domain/merge-queue/queue.ts";
import type { Store } from "../../../src/domain/ports/store.ts";
import { blankReviewLease, type ReviewLeaseRecord } from "../../../src/domain/review/review-lease.ts";
import { TASK_STATES } from "../../../src/domain/tasks/task-record.ts";
import { insertAgent, repository, task } from "../../adapters/store/samples.ts";
import { fresh } from "./fresh.ts";

export function recordPageContract(open: () => Promise<Store>): void {
  describe("pages of records", () => {
    const store = fresh(open);

    test("of held leases are read in pages, those that end first first", async () => {
      const holder = await insertAgent(store(), { role: "reviewer" });
      const held: number[] = [];
      for (const [issue, leaseUntil] of [30, 10, 10, 20, 99].entries()) {
        const { id: taskId } = await store().records.insert("task", task({ issue }));
        const lease = { ...blankReviewLease, taskId, holderId: holder.id, leaseUntil };
        held.push((await store().records.insert("review_lease", { ...lease, state: "HELD" })).id);
      }
      const { id: taskId } = await store().records.insert("task", task({ issue: 9 }));
      await store().records.insert("review_lease", { ...blankReviewLease, taskId, leaseUntil: 5 });
      // A page ends between two that end at the same moment.
      const found: ReviewLeaseRecord[] = [];
      for (let left = 5; left > 0; left -= 1)
        found.push(
          ...(await store().records.heldLeases({ below: 99, after: found.at(-1) ?? null, limit: 1 })),
        );
      expect(found.map(({ id }) => id)).toEqual([held[1], held[2], held[3], held[0]]);
    });

    test("of a merge queue are those that are approved or fixed after they failed in it", async () => {
      await insertAgent(store());
      for (const [index, state] of TASK_STATES.entries())
        for (const integrationFix of [false, true])
          await store().records.insert(
            "task",
            task({ issue: 2 * index + (integrationFix ? 1 : 0), state, integrationFix }),
          );
      const all = await store().records.find("task", {});
      const wanted = all.filter(isQueued);
      const first = await store().records.queuedTasks(repository.id, 0, 3);
      const rest = await store().records.queuedTasks(repository.id, first.at(-1)?.id ?? 0, 100);
      expect(first).toHaveLength(3);
      expect([...first, ...rest]).toEqual(wanted);
      expect(await store().records.queuedTasks(repository.id + 1, 0, 100)).toEqual([]);
      const approved = all.find(({ state }) => state === "APPROVED");
      expect(await store().records.firstApproved()).toEqual([
        { repositoryId: repository.id, issue: approved?.issue },
      ]);
    });
  });
}
