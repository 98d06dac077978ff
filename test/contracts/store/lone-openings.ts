import { describe, expect, test } from "vitest";
import type { Store } from "../../../src/domain/ports/store.ts";
import { insertAgent } from "../../adapters/store/samples.ts";
import { fresh } from "./fresh.ts";

export function loneOpeningContract(open: () => Promise<Store>): void {
  describe("openings that were begun alone", () => {
    const store = fresh(open);

    test("count each step by itself, until it ends", async () => {
      const { loneOpenings } = store();
      const { id: agentId } = await insertAgent(store());
      await loneOpenings.begin(agentId, "worktree");
      await loneOpenings.begin(agentId, "conversation");
      await loneOpenings.begin(agentId, "conversation");
      expect(await loneOpenings.all()).toEqual([
        { agentId, step: "conversation", begun: 2 },
        { agentId, step: "worktree", begun: 1 },
      ]);
      await loneOpenings.end(agentId, "conversation");
      await loneOpenings.end(agentId, "conversation");
      expect(await loneOpenings.all()).toEqual([{ agentId, step: "worktree", begun: 1 }]);
    });
  });
}
