import { expect, it } from "vitest";
import type { EngineContext } from "../../../src/engine/kernel/engine-context.ts";
import { insertAgent, task, wake } from "../../adapters/store/samples.ts";
import { HOUR, MINUTE } from "../../factories/moment.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { aRig, REPOSITORY } from "../rig.ts";

/** Counts calls of the store's tables, and the rows that they return. */
function counting(store: EngineContext["store"]) {
  const read = { calls: 0, rows: 0 };
  const counted = <T extends object>(table: T): T =>
    new Proxy(table, {
      get(target, name, receiver) {
        const found: unknown = Reflect.get(target, name, receiver);
        if (typeof found !== "function") return found;
        return (...args: readonly unknown[]): unknown => {
          read.calls += 1;
          const result: unknown = Reflect.apply(found, target, args);
          return result instanceof Promise
            ? result.then((rows: unknown) => {
                // Bare numbers are ids and counts, which are read without their rows.
                if (Array.isArray(rows)) read.rows += rows.filter((row) => typeof row === "object").length;
                return rows;
              })
            : result;
        };
      },
    });
  const tables = Object.fromEntries(
    Object.entries(store).map(([name, table]) => [name, typeof table === "object" ? counted(table) : table]),
  );
  return { read, store: { ...store, ...tables } as typeof store };
}

/** What one round reads when that many wait for a person, for an answer, for a slot and for their time to live. */
async function readIn(count: number): Promise<{ readonly calls: number; readonly rows: number }> {
  let read = { calls: 0, rows: 0 };
  const rig = await aRig({
    watched: false,
    settings: { runtime: { ...someSettings().runtime, maxConcurrentAgents: 0 } },
    wrapped: (given) => {
      const made = counting(given.store);
      read = made.read;
      return { ...given, store: made.store };
    },
  });
  const { store, clock } = rig;
  const since = clock.now() - MINUTE;
  for (let issue = 10; issue < 10 + count; issue += 1) {
    const kind = issue % 4;
    const made = await insertAgent(store, {
      repositoryId: REPOSITORY.id,
      name: `feat-dev-issue-${issue}`,
      issue,
      coder: true,
      state: kind === 0 ? "ESCALATED" : kind === 1 ? "CREATED" : "SLEEPING",
      sleepReason: kind === 2 ? "question" : kind === 3 ? "checks" : null,
      sleepingSince: since,
      createdAt: since,
      ttlMs: 100 * HOUR,
    });
    await store.records.insert(
      "task",
      task({
        repositoryId: REPOSITORY.id,
        issue,
        state: "CLAIMED",
        assigneeId: made.id,
        worktree: "w",
        leaseUntil: clock.now() + 1,
      }),
    );
    if (kind === 2)
      await store.questions.add({
        agentId: made.id,
        text: "Which?",
        options: [],
        recommended: null,
        defaultOption: null,
        deadlineAt: clock.now() + 100 * HOUR,
        askedOf: [],
        createdAt: since,
      });
    if (kind === 3) await store.wakes.add(wake({ key: `w${issue}`, agentId: made.id, dueAt: since }));
  }
  // The first round begins what comes once in each `reconcile_every`.
  await rig.engine.tick();
  read.calls = 0;
  read.rows = 0;
  await rig.engine.tick();
  return { ...read };
}

it("reads as much in a round beside 2,400 agents that wait as beside 800", async () => {
  const few = await readIn(800);
  const many = await readIn(2400);
  expect(few.rows).toBeGreaterThan(100);
  expect(many).toEqual(few);
});
