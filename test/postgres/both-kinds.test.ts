import { expect, it } from "vitest";
import { memoryStore } from "../factories/memory-store.ts";
import { describeWithPostgres } from "./databases.ts";
import { openPostgres } from "./kept-stores.ts";

describeWithPostgres("a process with databases of both kinds", () => {
  it("reads of each the columns that it has", async () => {
    const [server, memory] = [await openPostgres(), memoryStore()];
    for (const [place, store] of Object.entries({ server, memory })) {
      await store.replayInputs.begin({ guid: place, repositoryId: 7, issue: 1, at: 10, answers: {} });
      expect((await store.replayInputs.get(place))?.known?.byteLength).toBeGreaterThan(0);
    }
    await server.close();
    await memory.close();
  });
});
