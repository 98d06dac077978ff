import { expect, it, onTestFinished } from "vitest";
import { byName, wrappedTables } from "../../../src/domain/kernel/wrapped-tables.ts";
import { memoryStore } from "../../factories/memory-store.ts";

function aStore() {
  const store = memoryStore();
  onTestFinished(() => store.close());
  return store;
}

it("wraps a table once, when it is first used, and gives the others as they are", () => {
  const store = aStore();
  const wrapped: string[] = [];
  const tables = wrappedTables(store, (name, table) => {
    wrapped.push(name);
    return name === "wakes" ? { ...table } : table;
  });
  expect(wrapped).toEqual([]);
  const { wakes } = tables;
  expect(tables.wakes).toBe(wakes);
  expect(wakes).not.toBe(store.wakes);
  expect(tables.effects).toBe(store.effects);
  expect(tables.effects).toBe(store.effects);
  expect(wrapped).toEqual(["wakes", "effects"]);
});

it("a copy of wrapped tables has them wrapped, whatever wraps them further", () => {
  const store = aStore();
  const sweeps = { ...store.sweeps };
  const tables = { ...wrappedTables(wrappedTables(store, byName({ sweeps: () => sweeps })), byName({})) };
  expect(Object.keys(tables)).toEqual(Object.keys(store));
  expect(tables.sweeps).toBe(sweeps);
  expect(tables.wakes).toBe(store.wakes);
});
