import { describe, expect, test } from "vitest";
import type { Store } from "../../../src/domain/ports/store.ts";
import { fresh } from "./fresh.ts";

export function sweepContract(open: () => Promise<Store>): void {
  describe("sweeps of missed webhooks", () => {
    const store = fresh(open);

    test("there was none, and then only the last one is known", async () => {
      const { sweeps } = store();
      expect(await sweeps.last()).toBeNull();
      await sweeps.done(5);
      await sweeps.done(9);
      expect(await sweeps.last()).toBe(9);
    });
  });
}
