import { expect, it, onTestFinished, vi } from "vitest";
import { tokenPruner } from "../../../src/engine/kernel/token-pruner.ts";
import { insertAgent } from "../../adapters/store/samples.ts";
import { memoryStore } from "../../factories/memory-store.ts";
import { AT, MINUTE } from "../../factories/moment.ts";
import { createFakeClock } from "../../fakes/clock.ts";

it("deletes old speech 500 pieces at a time with the event loop between, and once a minute", async () => {
  const store = memoryStore();
  onTestFinished(() => store.close());
  const { id: agentId } = await insertAgent(store);
  const event = { type: "stream:token", data: { text: "word" } } as const;
  await store.transaction(async ({ runEvents }) => {
    for (let piece = 0; piece < 1_100; piece += 1)
      await runEvents.add({ at: AT - 11 * MINUTE, agentId, repositoryId: 7, issue: 42, event });
  });
  const done: string[] = [];
  const pruneTokens = store.runEvents.pruneTokens.bind(store.runEvents);
  vi.spyOn(store.runEvents, "pruneTokens").mockImplementation(async (options) => {
    const count = await pruneTokens(options);
    done.push(`pruned ${count}`);
    setImmediate(() => done.push("others"));
    return count;
  });
  const clock = createFakeClock(AT);
  const prune = tokenPruner({ store, clock });
  await prune();
  expect(done).toEqual(["pruned 500", "others", "pruned 500", "others", "pruned 100"]);
  await prune();
  expect(done.filter((what) => what.startsWith("pruned"))).toHaveLength(3);
  clock.advance(MINUTE);
  await prune();
  expect(done.filter((what) => what.startsWith("pruned"))).toHaveLength(4);
});
