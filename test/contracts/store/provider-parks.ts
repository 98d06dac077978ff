import { describe, expect, test } from "vitest";
import type { Store } from "../../../src/domain/ports/store.ts";
import { fresh } from "./fresh.ts";

const park = { account: "http://h/v1 (KEY)", since: 1, until: 2, failures: 1, liftedAt: null, reason: "429" };

export function providerParkContract(open: () => Promise<Store>): void {
  describe("parked accounts", () => {
    const store = fresh(open);

    test("stand once each, as they were written last", async () => {
      const { providerParks } = store();
      expect(await providerParks.get(park.account)).toBeUndefined();
      await providerParks.put(park);
      await providerParks.put({ ...park, account: "other", until: 9 });
      await providerParks.put({ ...park, until: 5, failures: 2, liftedAt: 7 });
      expect(await providerParks.get(park.account)).toEqual({ ...park, until: 5, failures: 2, liftedAt: 7 });
      expect((await providerParks.get("other"))?.until).toBe(9);
    });
  });
}
