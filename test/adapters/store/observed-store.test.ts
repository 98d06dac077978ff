import { expect, it, onTestFinished } from "vitest";
import type { OpenStore } from "../../../src/adapters/store/database.ts";
import { observedStore } from "../../../src/adapters/store/observed-store.ts";
import type { StoreObserver } from "../../../src/domain/ports/store-observer.ts";
import { EVERYTHING, OURS } from "../../factories/leases.ts";
import { memoryStore } from "../../factories/memory-store.ts";
import { delivery, repository } from "./samples.ts";

async function observed(...observers: readonly StoreObserver[]) {
  const base = memoryStore();
  onTestFinished(() => base.close());
  const logged: object[] = [];
  const log = { error: (fields: object, message: string) => void logged.push({ ...fields, message }) };
  const store: OpenStore = observedStore(
    base,
    observers.map((observer) => () => observer),
    log,
  );
  return { base, store, logged };
}

it("gives a listener the arguments and the result of a call, and the caller its result", async () => {
  const heard: unknown[] = [];
  const { store } = await observed({
    calls: { deliveries: { settle: (args, settled) => void heard.push([args, settled]) } },
  });
  expect(await store.deliveries.settle("no-such", OURS.token, "done", null, 1)).toBe(false);
  expect(heard).toEqual([[["no-such", OURS.token, "done", null, 1], false]]);
});

it("calls the listeners of a transaction after its commit, in the order of the calls, and waits for them", async () => {
  const heard: string[] = [];
  const slow = Promise.withResolvers<void>();
  const { store } = await observed({
    calls: {
      repositories: {
        put: async ([{ name }]) => {
          heard.push(name);
          await slow.promise;
          heard.push(`${name} read`);
        },
      },
      deliveries: { reclaim: () => void heard.push("reclaim") },
    },
  });
  const over = store
    .transaction(async (tables) => {
      await tables.repositories.put(repository);
      await tables.deliveries.reclaim(EVERYTHING);
      heard.push("committing");
    })
    .then(() => heard.push("over"));
  await expect.poll(() => heard).toEqual(["committing", repository.name, "reclaim"]);
  slow.resolve();
  await over;
  expect(heard.slice(3)).toEqual([`${repository.name} read`, "over"]);
});

it("calls no listener of a transaction that is rolled back", async () => {
  const heard: unknown[] = [];
  const { store } = await observed({
    arrival: (rows) => void heard.push(rows),
    calls: { repositories: { put: () => void heard.push("put") } },
  });
  const broken = store.transaction(async (tables) => {
    await tables.repositories.put(repository);
    await tables.deliveries.insert([delivery({ guid: "a" })]);
    throw new Error("rolled back");
  });
  await expect(broken).rejects.toThrow("rolled back");
  expect(heard).toEqual([]);
});

it("breaks no call and no transaction by a listener that throws or rejects, and logs it once", async () => {
  const { store, logged } = await observed(
    {
      arrival: () => {
        throw new Error("no room");
      },
      calls: {
        repositories: { put: () => Promise.reject(new Error("rejected")) },
        deliveries: {
          reclaim: () => {
            throw new Error("thrown");
          },
        },
      },
    },
    { calls: { deliveries: { reclaim: () => void logged.push({ second: "heard" }) } } },
  );
  await store.deliveries.insert([delivery({ guid: "a" })]);
  for (let round = 0; round < 2; round += 1)
    await store.transaction(async (tables) => {
      await tables.repositories.put(repository);
      await tables.deliveries.reclaim(EVERYTHING);
    });
  const message = "store observer failed";
  expect(logged).toHaveLength(5);
  expect(logged).toEqual(
    expect.arrayContaining([
      { call: "arrival", error: "no room", message },
      { call: "deliveries.reclaim", error: "thrown", message },
      { call: "repositories.put", error: "rejected", message },
      { second: "heard" },
    ]),
  );
  expect(await store.repositories.get(repository.id)).toEqual(repository);
  expect(await store.deliveries.known(["a"])).toEqual(new Set(["a"]));
});

it("says which deliveries were there before, and reads that only where somebody asks", async () => {
  const heard: unknown[] = [];
  const { store, base } = await observed({
    arrival: (rows, known) => void heard.push([rows.map(({ guid }) => guid), [...known]]),
    calls: {},
  });
  await store.deliveries.insert([delivery({ guid: "a" })]);
  await store.deliveries.insert([delivery({ guid: "a" }), delivery({ guid: "b" })]);
  base.deliveries.known = () => Promise.reject(new Error("not now"));
  await store.deliveries.insert([delivery({ guid: "c" })]);
  expect(heard).toEqual([
    [["a"], []],
    [["a", "b"], ["a"]],
    [["c"], []],
  ]);
  const { store: unasked, base: unread } = await observed({ calls: {} });
  unread.deliveries.known = () => expect.unreachable("nobody asked");
  await unasked.deliveries.insert([delivery({ guid: "d" })]);
});
