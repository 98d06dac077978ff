import { expect, it } from "vitest";
import { memoryStore, memoryStoreAndDatabase } from "./memory-store.ts";

const row = { id: 7, owner: "acme", name: "shop", installationId: 5, defaultBranch: "main", private: true };

it("serves the next test, empty", async () => {
  const first = memoryStoreAndDatabase();
  await first.store.repositories.put(row);
  await first.store.close();
  const second = memoryStoreAndDatabase();
  expect(second.database).toBe(first.database);
  expect(await second.store.repositories.all()).toEqual([]);
});

it("lets a transaction that a test left running reach no other test", async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<undefined>();
  const first = memoryStore();
  const closed = first.close();
  const left = first.transaction(async (tables) => {
    await held;
    await tables.repositories.put(row);
  });
  await closed;
  const second = memoryStore();
  expect(await second.transaction((tables) => tables.repositories.all())).toEqual([]);
  release(undefined);
  await expect(left).rejects.toThrow("not open");
  expect(await second.repositories.all()).toEqual([]);
});

it("lets a row that a test left behind reach no other test", async () => {
  const first = memoryStore();
  const closed = first.close();
  await first.repositories.put(row);
  await closed;
  expect(await memoryStore().repositories.all()).toEqual([]);
});
