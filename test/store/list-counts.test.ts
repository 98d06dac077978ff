import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { AGENT_STATES } from "../../src/core/machines/agent-record.ts";
import { TASK_STATES } from "../../src/core/machines/task.ts";
import { type OpenStore, openStore } from "../../src/store/open.ts";
import { agent, repository, task } from "./samples.ts";

async function aStore(): Promise<OpenStore> {
  const store = await openStore({ path: ":memory:" });
  onTestFinished(() => store.close());
  await store.repositories.put(repository);
  return store;
}

const sums = (rows: readonly { readonly state: string }[]) =>
  [...Map.groupBy(rows, (row) => row.state)]
    .map(([name, group]) => ({ repositoryId: repository.id, state: name, count: group.length }))
    .toSorted((one, other) => (one.state < other.state ? -1 : 1));

test("the counts are those of the rows, whatever comes, moves and goes", async () => {
  const store = await aStore();
  const state = fc.constantFrom(...AGENT_STATES);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(state, state), { maxLength: 8 }), async (moves) => {
      for (const [from, to] of moves) {
        const issue = (await store.records.find("agent", {})).length + 1;
        const made = await store.records.insert("agent", agent({ issue, state: from }));
        await store.records.save("agent", made, { ...made, state: to });
        const done = await store.records.insert("task", task({ issue, state: "UNCLAIMED" }));
        await store.records.save("task", done, {
          ...done,
          state: TASK_STATES[issue % TASK_STATES.length] ?? "DRAFT",
        });
      }
      const agents = await store.records.find("agent", {});
      const tasks = await store.records.find("task", {});
      expect(await store.lists.agentCounts()).toEqual(sums(agents));
      expect(await store.lists.taskCounts()).toEqual(sums(tasks));
    }),
    { numRuns: 20 },
  );
});

test("as many wait for a person as the pages of the waiting list have", async () => {
  const store = await aStore();
  const fields = fc.record({
    state: fc.constantFrom("CREATED", "SLEEPING", "ESCALATED", "ACTIVE", "COMPLETED"),
    sleepReason: fc.constantFrom("question", "approval", "review", "paused", "blocked", "retry"),
    heldBy: fc.constantFrom([], ["person"], ["incident"]),
    coder: fc.boolean(),
  });
  let issue = 0;
  await fc.assert(
    fc.asyncProperty(fields, fc.nat(2), async ({ state, sleepReason, heldBy, coder }, asked) => {
      issue += 1;
      const asleep = state === "SLEEPING";
      const made = await store.records.insert(
        "agent",
        agent({
          issue,
          state,
          sleepReason: asleep ? sleepReason : null,
          heldBy: [...heldBy],
          coder,
        }),
      );
      for (let one = 0; one < asked; one += 1)
        await store.questions.add({
          agentId: made.id,
          text: "Which?",
          options: [],
          recommended: null,
          defaultOption: null,
          deadlineAt: 9,
          askedOf: [],
          createdAt: 1,
        });
    }),
    { numRuns: 120 },
  );
  const listed = await store.lists.waiting(null, { after: null, limit: 500 });
  const around = await store.lists.around(listed.map(({ row }) => row));
  const items = listed.reduce((sum, { row }) => {
    const held = row.heldBy.includes("person") || row.sleepReason === "paused";
    if (held || row.state === "ESCALATED") return sum + 1;
    if (row.sleepReason === "question") return sum + (around.get(row.id)?.questions.length ?? 0);
    return sum + 1;
  }, 0);
  const [counted] = await store.lists.waitingCounts();
  expect(listed.length).toBeGreaterThan(20);
  expect(counted).toEqual({ repositoryId: repository.id, count: items });
});
