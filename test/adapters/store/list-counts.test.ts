import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import type { OpenStore } from "../../../src/adapters/store/database.ts";
import { AGENT_STATES, SLEEP_REASONS } from "../../../src/domain/agents/agent-record.ts";
import type { Position } from "../../../src/domain/ports/lists.ts";
import { needsHuman } from "../../../src/domain/status/needs-human.ts";
import { TASK_STATES } from "../../../src/domain/tasks/task-record.ts";
import { memoryStore } from "../../factories/memory-store.ts";
import { agent, repository, task } from "./samples.ts";

async function aStore(): Promise<OpenStore> {
  const store = memoryStore();
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

test("the waiting list, its counts and the label agree on what waits for a person", async () => {
  const store = await aStore();
  const fields = fc.record({
    state: fc.constantFrom("CREATED", "SLEEPING", "ESCALATED", "ACTIVE", "COMPLETED"),
    sleepReason: fc.constantFrom(...SLEEP_REASONS),
    heldBy: fc.constantFrom([], ["person"], ["commit"], ["invariant"], ["incident"]),
    coder: fc.boolean(),
  });
  const work = fc.option(fc.constantFrom(...TASK_STATES));
  let issue = 0;
  const needed: number[] = [];
  await fc.assert(
    fc.asyncProperty(fc.array(fields, { maxLength: 2 }), work, async (given, state) => {
      issue += 1;
      const agents = [];
      for (const [index, { sleepReason, ...rest }] of given.entries()) {
        const sleeps = rest.state === "SLEEPING" ? sleepReason : null;
        const name = `agent-${issue}.${index}`;
        const kind = { name, role: `role-${index}`, coder: index === 0 && rest.coder };
        const record = agent({ issue, ...rest, ...kind, sleepReason: sleeps, heldBy: [...rest.heldBy] });
        const made = await store.records.insert("agent", record);
        agents.push(made);
        if (sleeps === "question") await store.questions.add({ ...QUESTION, agentId: made.id });
        if (sleeps === "approval")
          await store.approvals.ask({ ...CALL, agentId: made.id, token: made.token });
      }
      if (state !== null) {
        const made = await store.records.insert("task", task({ issue, state: "UNCLAIMED" }));
        await store.records.save("task", made, { ...made, state });
      }
      if (needsHuman({ agents, task: state, merges: false })) needed.push(issue);
    }),
    { numRuns: 400, seed: 7 },
  );
  const listed = await store.lists.waiting(null, { after: null, limit: 2000 });
  const waits = listed.map(({ row }) => ("agent" in row ? row.agent.issue : row.task.issue));
  expect([...new Set(waits)].toSorted((one, other) => one - other)).toEqual(needed);
  expect(listed.filter(({ row }) => "task" in row).length).toBeGreaterThan(10);
  expect(listed.filter(({ row }) => "agent" in row && row.agent.heldBy.includes("commit"))).not.toEqual([]);
  const paged = [];
  for (let after: Position | null = null; ; ) {
    const page: Awaited<ReturnType<typeof store.lists.waiting>> = await store.lists.waiting(null, {
      after,
      limit: 7,
    });
    paged.push(...page);
    if (page.length < 7) break;
    after = page.at(-1)?.position ?? null;
  }
  expect(paged).toEqual(listed);
  const [counted] = await store.lists.waitingCounts();
  const approved = listed.filter(({ row }) => "task" in row && row.task.state === "APPROVED");
  expect(counted?.count).toBe(listed.length);
  expect(counted?.merges).toBeGreaterThanOrEqual(approved.length);
});

const QUESTION = {
  text: "Which?",
  options: [],
  recommended: null,
  defaultOption: null,
  deadlineAt: 9,
  askedOf: [],
  createdAt: 1,
};

const CALL = {
  kind: "network",
  detail: "curl",
  tool: "bash",
  input: "{}",
  hash: "a",
  createdAt: 1,
} as const;
