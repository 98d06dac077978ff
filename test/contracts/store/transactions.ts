import { describe, expect, test } from "vitest";
import type { Store } from "../../../src/domain/ports/store.ts";
import { agent, delivery, effect, task } from "../../adapters/store/samples.ts";
import { fresh } from "./fresh.ts";

export function transactionContract(open: () => Promise<Store>): void {
  describe("a transaction", () => {
    const store = fresh(open);

    test("gives back what its work answered, and all of it is there", async () => {
      const id = await store().transaction(async (tables) => {
        await tables.effects.add([effect({ key: "a" })]);
        return (await tables.records.insert("agent", agent())).id;
      });
      expect(await store().records.get("agent", id)).toMatchObject({ id });
      expect(await store().effects.find({ key: "a" })).toHaveLength(1);
    });

    test("leaves nothing when its work throws", async () => {
      const failed = store().transaction(async (tables) => {
        await tables.records.insert("agent", agent());
        await tables.deliveries.insert([delivery({ guid: "g" })]);
        throw new Error("after all");
      });
      await expect(failed).rejects.toThrow("after all");
      expect(await store().records.find("agent", {})).toEqual([]);
      expect(await store().deliveries.get("g")).toBeUndefined();
    });

    test("leaves nothing when a later row breaks a rule of the database", async () => {
      const failed = store().transaction(async (tables) => {
        await tables.records.insert("agent", agent());
        await tables.records.insert("task", task({ assigneeId: 999 }));
      });
      await expect(failed).rejects.toThrow(/foreign key/i);
      expect(await store().records.find("agent", {})).toEqual([]);
    });

    test("is not seen by others until it is committed", async () => {
      let ended = false;
      const inside = store().transaction(async (tables) => {
        await tables.records.insert("agent", agent());
        await tables.records.find("agent", {});
        ended = true;
      });
      // Some databases answer at once with what was there, others once the transaction has ended.
      const outside = store()
        .records.find("agent", {})
        .then((found) => expect(found).toHaveLength(ended ? 1 : 0));
      await Promise.all([inside, outside]);
      expect(await store().records.find("agent", {})).toHaveLength(1);
    });

    test("refuses the store's own tables and a second transaction instead of waiting for itself", async () => {
      const message = "inside a transaction use the tables that it was given";
      const query = store().transaction(() => store().records.find("agent", {}));
      await expect(query).rejects.toThrow(message);
      const nested = store().transaction(() => store().transaction(async () => {}));
      await expect(nested).rejects.toThrow(message);
      expect(await store().records.find("agent", {})).toEqual([]);
    });

    test("lets work that it only set going use the store after its end", async () => {
      const gate = Promise.withResolvers<void>();
      const later = await store().transaction(async () => ({
        found: gate.promise.then(() => store().records.find("agent", {})),
      }));
      gate.resolve();
      expect(await later.found).toEqual([]);
    });
  });
}
