import { expect, onTestFinished, test } from "vitest";
import { memoryStore } from "../../factories/memory-store.ts";
import { insertAgent } from "./samples.ts";

test("rows are found by ten thousand ids as by one, whatever else is asked", async () => {
  const store = memoryStore();
  onTestFinished(() => store.close());
  for (let issue = 1; issue <= 30; issue += 1) await insertAgent(store, { issue, state: "SLEEPING" });
  const ids = Array.from({ length: 10_000 }, (_, index) => index + 1);
  expect(await store.records.find("agent", { id: ids, state: "SLEEPING" })).toHaveLength(30);
  expect(
    await store.records.find("agent", { id: ids.slice(0, 25), state: ["SLEEPING", "ACTIVE"] }),
  ).toHaveLength(25);
  expect(await store.records.issues("agent", { id: ids, state: "SLEEPING" })).toHaveLength(30);
  expect(await store.effects.find({ agentId: ids })).toEqual([]);
});
