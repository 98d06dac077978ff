import { describe, expect, test } from "vitest";
import { blankGoal } from "../../../src/domain/planning/goal.ts";
import { blankSprint } from "../../../src/domain/planning/sprint.ts";
import type { Store } from "../../../src/domain/ports/store.ts";
import { newTaskRecord } from "../../../src/domain/tasks/task-record.ts";
import { anAgent } from "../../factories/records.ts";
import { fresh } from "./fresh.ts";

const at = (createdAt: number) => ({ repositoryId: 7, createdAt });

/** A goal with a sprint and a part in which nothing has begun, a sprint without a goal, a goal that is over. */
async function filled(store: Store): Promise<Store> {
  const { records } = store;
  for (const id of [7, 8])
    await store.repositories.put({
      id,
      owner: "acme",
      name: `shop-${id}`,
      installationId: 1,
      private: true,
      defaultBranch: "main",
    });
  const goal = await records.insert("goal", { ...blankGoal, ...at(1), issue: 9, parts: [1, 5] });
  await records.insert("goal", { ...blankGoal, ...at(2), repositoryId: 8, issue: 3, state: "ABORTED" });
  const sprint = { ...blankSprint, ...at(3), milestone: 2, title: "First" };
  const first = await records.insert("sprint", { ...sprint, goalId: goal.id, state: "CHECKPOINT" });
  const alone = await records.insert("sprint", { ...sprint, milestone: 4, title: "Alone" });
  const task = { ...newTaskRecord, ...at(4) };
  await records.insert("task", { ...task, issue: 1, sprintId: first.id, state: "ABANDONED" });
  await records.insert("task", { ...task, issue: 1, sprintId: first.id, state: "CLAIMED" });
  await records.insert("task", { ...task, issue: 2, sprintId: first.id, state: "MERGED" });
  await records.insert("task", { ...task, issue: 6, sprintId: alone.id, state: "UNCLAIMED" });
  for (const [name, issue] of [
    ["one", 1],
    ["two", 2],
    ["six", 6],
  ] as const)
    await records.insert("agent", {
      ...anAgent({ repositoryId: 7, issue, name }),
      costMicroUsd: 100 * issue,
    });
  return store;
}

const page = { after: null, limit: 10 };

export function planContract(open: () => Promise<Store>): void {
  describe("goals and sprints", () => {
    const opened = fresh(open);

    test("lists goals with all that belongs to them, and sprints without one, the latest first", async () => {
      const store = await filled(opened());
      const ongoing = await store.plans.list({ open: true, repositories: null }, page);
      expect(ongoing.map(({ row }) => row)).toMatchObject([
        { goal: null, sprints: [{ title: "Alone" }], tasks: [{ issue: 6, state: "UNCLAIMED" }], agents: 1 },
        {
          goal: { issue: 9 },
          sprints: [{ title: "First" }],
          tasks: [
            { issue: 1, state: "CLAIMED" },
            { issue: 2, state: "MERGED" },
            { issue: 5, state: null },
          ],
          agents: 2,
          costMicroUsd: 300,
        },
      ]);
      const any = await store.plans.list({ open: false, repositories: null }, page);
      expect(any.map(({ row }) => row.goal?.issue ?? null)).toEqual([null, 3, 9]);
      const theirs = await store.plans.list({ open: false, repositories: [8] }, page);
      expect(theirs.map(({ row }) => row.goal?.issue)).toEqual([3]);
    });

    test("comes to each row once, page by page", async () => {
      const store = await filled(opened());
      const seen = [];
      for (let after: readonly number[] | null = null; ; ) {
        const [found] = await store.plans.list({ open: false, repositories: null }, { after, limit: 1 });
        if (found === undefined) break;
        seen.push(found.row.goal?.issue ?? null);
        after = found.position;
      }
      expect(seen).toEqual([null, 3, 9]);
    });

    test("finds the goal that an issue tracks or belongs to, and counts the checkpoints", async () => {
      const store = await filled(opened());
      const goalOf = async (issue: number) => (await store.plans.ofIssue(7, issue))?.goal?.issue;
      expect([await goalOf(9), await goalOf(1), await goalOf(6), await goalOf(5)]).toEqual([
        9,
        9,
        undefined,
        undefined,
      ]);
      expect((await store.plans.ofIssue(7, 6))?.sprints).toMatchObject([{ title: "Alone" }]);
      expect(await store.plans.ofIssue(7, 99)).toBeUndefined();
      expect(await store.plans.checkpoints(null)).toBe(1);
      expect(await store.plans.checkpoints([8])).toBe(0);
    });
  });
}
