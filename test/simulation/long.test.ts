import { expect, it } from "vitest";
import type { OpenStore } from "../../src/adapters/store/database.ts";
import { byName, wrappedTables } from "../../src/domain/kernel/wrapped-tables.ts";
import type { Tables } from "../../src/domain/ports/store.ts";
import { methodOf } from "../engine/method-of.ts";
import { proved } from "../proved.ts";
import { failed, runSeeds } from "./seeds.ts";

const SEEDS = 200;
const STEPS = 40;
const SEEDS_OF_SEVERAL = 80;
const STEPS_OF_SEVERAL = 30;

it("keeps every promise in longer lives, too", { timeout: 800_000 }, async () => {
  const runs = await runSeeds(SEEDS, { steps: STEPS });
  const broken = runs.filter(failed).map(({ seed, failure }) => ({ seed, failure }));
  expect(broken, `again: npm run simulate -- --steps ${STEPS} --seed …`).toEqual([]);
  const crashes = runs.reduce((sum, run) => sum + run.crashes, 0);
  const faults = runs.reduce((sum, run) => sum + run.faults, 0);
  proved({
    promise: "The same holds in lives of many agents, acts, faults and kills",
    test: "test/simulation/long.test.ts",
    figure: `${runs.length} seeds of ${STEPS} steps, ${crashes} kills, ${faults} faults, ${broken.length} broken`,
  });
});

it("keeps every promise with three engines on one database, any of which is killed, lost or stopped for longer than its lease", {
  timeout: 1_200_000,
}, async () => {
  const runs = await runSeeds(SEEDS_OF_SEVERAL, { steps: STEPS_OF_SEVERAL, engines: 3 });
  const broken = runs.filter(failed).map(({ seed, failure }) => ({ seed, failure }));
  expect(broken, `again: npm run simulate -- --engines 3 --steps ${STEPS_OF_SEVERAL} --seed …`).toEqual([]);
  const [crashes, faults, pauses, overtaken] = [
    runs.reduce((sum, run) => sum + run.crashes, 0),
    runs.reduce((sum, run) => sum + run.faults, 0),
    runs.reduce((sum, run) => sum + run.pauses, 0),
    runs.reduce((sum, run) => sum + run.overtaken, 0),
  ];
  expect(pauses).toBeGreaterThan(30);
  expect(overtaken).toBeGreaterThan(10);
  proved({
    promise:
      "Several processes on one database, any of them killed or stopped, leave every promise of the engine kept and make nothing twice",
    test: "test/simulation/long.test.ts",
    figure: `${runs.length} seeds of ${STEPS_OF_SEVERAL} steps with 3 engines, ${crashes} kills, ${faults} faults, ${pauses} pauses longer than a lease, ${overtaken} of them until another was at the same, ${broken.length} broken`,
  });
});

it("finds a node that takes what the others are at for its own, once it begins", {
  timeout: 600_000,
}, async () => {
  const runs = await runSeeds(SEEDS_OF_SEVERAL, {
    steps: 20,
    engines: 3,
    until: failed,
    sabotage: (parts) => {
      const { effects, deliveries } = parts.store;
      const reclaim: typeof effects.reclaim = (abandoned) => effects.reclaim({ ...abandoned, nodes: null });
      const regain: typeof deliveries.reclaim = (abandoned) =>
        deliveries.reclaim({ ...abandoned, nodes: null });
      parts.store = {
        ...parts.store,
        effects: { ...effects, reclaim },
        deliveries: { ...deliveries, reclaim: regain },
      };
    },
  });
  expect(runs.at(-1)?.failure?.property).toBe("each effect stands on GitHub once");
});

it("finds a store that takes an outcome from a process whose claim another one has by now", {
  timeout: 600_000,
}, async () => {
  const runs = await runSeeds(SEEDS_OF_SEVERAL, {
    steps: STEPS_OF_SEVERAL,
    engines: 3,
    until: failed,
    sabotage: (parts) => {
      parts.store = withoutTokens(parts.store);
    },
  });
  expect(runs.at(-1)?.failure?.property).toBe("only who has it writes what became of it");
});

/** A store that takes every outcome for that of the latest claim. */
function withoutTokens(store: OpenStore): OpenStore {
  const latest = new Map<number | string, string>();
  const blind = <T extends Tables>(tables: T): T =>
    wrappedTables(
      tables,
      byName({
        effects: (table) => ({
          ...table,
          lease: async (asked) => {
            const rows = await table.lease(asked);
            for (const { id } of rows) latest.set(id, asked.token);
            return rows;
          },
          settle: (id, token, outcome) => table.settle(id, latest.get(id) ?? token, outcome),
          retry: (id, token, options) => table.retry(id, latest.get(id) ?? token, options),
        }),
        deliveries: (table) => ({
          ...table,
          claim: async (asked) => {
            const rows = await table.claim(asked);
            for (const { guid } of rows) latest.set(guid, asked.token);
            return rows;
          },
          settle: (guid, token, ...outcome) => table.settle(guid, latest.get(guid) ?? token, ...outcome),
          retry: (guid, token, options) => table.retry(guid, latest.get(guid) ?? token, options),
        }),
      }),
    );
  return { ...blind(store), transaction: (work) => store.transaction((tables) => work(blind(tables))) };
}

it("finds an engine that forgets after a kill what it had begun", { timeout: 200_000 }, async () => {
  const runs = await runSeeds(SEEDS, {
    steps: 20,
    until: failed,
    sabotage: (parts) => {
      const { effects } = parts.store;
      parts.store = { ...parts.store, effects: { ...effects, reclaim: () => Promise.resolve(0) } };
    },
  });
  expect(runs.at(-1)?.failure?.property).toBe("the run comes to rest");
});

it("finds a comment that is written twice", { timeout: 200_000 }, async () => {
  const runs = await runSeeds(SEEDS, {
    steps: 20,
    until: failed,
    sabotage: ({ github, repository }) => {
      const putComment = methodOf(github, "putComment");
      github.putComment = (ref, number, comment) => {
        const was = repository.comments.get(number) ?? [];
        const blind = comment.knownId === undefined;
        if (blind) repository.comments.set(number, []);
        const put = putComment(ref, number, comment);
        if (blind) repository.comments.set(number, [...was, ...(repository.comments.get(number) ?? [])]);
        return put;
      };
    },
  });
  expect(runs.at(-1)?.failure?.property).toBe("each effect stands on GitHub once");
});

it("finds a sleeper that is passed over when its pause after a failure is over", {
  timeout: 200_000,
}, async () => {
  const runs = await runSeeds(SEEDS, {
    steps: 20,
    until: failed,
    sabotage: (parts) => {
      const { wakes } = parts.store;
      const due: typeof wakes.due = async (now, ids) =>
        (await wakes.due(now, ids)).filter(({ reason }) => reason !== "retry");
      parts.store = { ...parts.store, wakes: { ...wakes, due } };
    },
  });
  expect(runs.at(-1)?.failure?.property).toBe("a pause that is over ends");
});
