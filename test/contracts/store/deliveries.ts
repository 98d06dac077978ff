import { describe, expect, test } from "vitest";
import type { Store } from "../../../src/domain/ports/store.ts";
import { delivery } from "../../adapters/store/samples.ts";
import { CLAIM, EVERYTHING, OURS } from "../../factories/leases.ts";
import { fresh } from "./fresh.ts";

const guids = (rows: readonly { guid: string }[]) => rows.map(({ guid }) => guid);

export function deliveryContract(open: () => Promise<Store>): void {
  describe("deliveries", () => {
    const store = fresh(open);
    const claim = async (now: number, limit = 10) =>
      guids(await store().deliveries.claim({ ...CLAIM, now, limit }));

    test("come back as GitHub sent them, in the order of their arrival", async () => {
      const first = delivery({
        guid: "g1",
        payload: '{ "a": "ü\\u0000" }',
        action: null,
        installationId: null,
      });
      await store().deliveries.insert([first, delivery({ guid: "g2" })]);
      const row = await store().deliveries.get("g1");
      expect(row).toMatchObject({ ...first, state: "pending", attempts: 0, note: null, settledAt: null });
      expect((await store().deliveries.get("g2"))?.seq).toBeGreaterThan(row?.seq ?? Number.POSITIVE_INFINITY);
      expect(await store().deliveries.get("g3")).toBeUndefined();
    });

    test("are no news when their guid is known, in one batch or later", async () => {
      await store().deliveries.insert([delivery({ guid: "g" }), delivery({ guid: "g" })]);
      expect(await claim(1)).toEqual(["g"]);
      await store().deliveries.settle("g", OURS.token, "done", null, 5);
      await store().deliveries.insert([delivery({ guid: "g" })]);
      expect(await claim(1)).toEqual([]);
      expect(await store().deliveries.list({}, 10)).toHaveLength(1);
    });

    test("are tried again when GitHub redelivers a dead one", async () => {
      await store().deliveries.insert([delivery({ guid: "g" })]);
      await claim(1);
      await store().deliveries.settle("g", OURS.token, "dead", "boom", 5);
      await store().deliveries.insert([delivery({ guid: "g" })]);
      expect(await store().deliveries.get("g")).toMatchObject({
        state: "pending",
        note: null,
        settledAt: null,
      });
    });

    test("are claimed one of a lane at a time, oldest first", async () => {
      await store().deliveries.insert([
        delivery({ guid: "a1", lane: "a" }),
        delivery({ guid: "a2", lane: "a" }),
        delivery({ guid: "b1", lane: "b" }),
        delivery({ guid: "c1", lane: "c" }),
      ]);
      expect(await claim(1, 2)).toEqual(["a1", "b1"]);
      expect(await claim(1, 2)).toEqual(["c1"]);
      await store().deliveries.settle("a1", OURS.token, "ignored", "a bot's", 5);
      expect(await claim(1)).toEqual(["a2"]);
    });

    test("hold up their lane while they wait for another try", async () => {
      await store().deliveries.insert([delivery({ guid: "a1" }), delivery({ guid: "a2" })]);
      await claim(1);
      await store().deliveries.retry("a1", OURS.token, { notBefore: 500, note: "502", countAttempt: true });
      expect(await claim(499)).toEqual([]);
      expect(await claim(500)).toEqual(["a1"]);
      await store().deliveries.retry("a1", OURS.token, { notBefore: 0, note: "parked", countAttempt: false });
      expect(await store().deliveries.get("a1")).toMatchObject({
        attempts: 1,
        note: "parked",
        state: "pending",
      });
    });

    test("are settled once, and only while claimed", async () => {
      await store().deliveries.insert([delivery({ guid: "g" })]);
      expect(await store().deliveries.settle("g", OURS.token, "done", null, 5)).toBe(false);
      await claim(1);
      expect(await store().deliveries.settle("g", OURS.token, "done", null, 5)).toBe(true);
      expect(await store().deliveries.settle("g", OURS.token, "dead", "late", 6)).toBe(false);
      await store().deliveries.retry("g", OURS.token, { notBefore: 0, note: "late", countAttempt: true });
      expect(await store().deliveries.get("g")).toMatchObject({ state: "done", note: null, settledAt: 5 });
    });

    test("are listed newest first, by state and event, without their payloads", async () => {
      await store().deliveries.insert([
        delivery({ guid: "g1" }),
        delivery({ guid: "g2", event: "push", lane: "x" }),
        delivery({ guid: "g3", lane: "y" }),
      ]);
      const rows = await store().deliveries.list({}, 2);
      expect(guids(rows)).toEqual(["g3", "g2"]);
      expect(rows.map(({ payload }) => payload)).toEqual(["", ""]);
      await claim(1, 1);
      expect(
        guids(await store().deliveries.list({ state: ["pending", "dead"], event: "issues" }, 9)),
      ).toEqual(["g3"]);
    });

    test("are replayed when settled, and not while they are under way", async () => {
      await store().deliveries.insert([delivery({ guid: "g" })]);
      expect(await store().deliveries.replay("g")).toBe(false);
      await claim(1);
      expect(await store().deliveries.replay("g")).toBe(false);
      await store().deliveries.settle("g", OURS.token, "done", null, 5);
      expect(await store().deliveries.replay("g")).toBe(true);
      expect(await store().deliveries.replay("unknown")).toBe(false);
      expect(await claim(1)).toEqual(["g"]);
    });

    test("lose their payloads in batches that end behind 4 MiB, whatever the limit of rows", async () => {
      const all = ["a", "b", "c"];
      const payload = JSON.stringify("x".repeat(3 * 2 ** 20));
      await store().deliveries.insert(all.map((guid) => delivery({ guid, lane: guid, payload })));
      await claim(1);
      for (const [at, guid] of all.entries())
        await store().deliveries.settle(guid, OURS.token, "done", null, at);
      expect(await store().deliveries.dropPayloads(30, 10)).toBe(2);
      expect(await store().deliveries.dropPayloads(30, 10)).toBe(1);
    });

    test("lose their payload once they were settled long enough, the oldest first, and are then known but not replayed", async () => {
      const all = ["old", "older", "young", "dead", "open"];
      await store().deliveries.insert(all.map((guid) => delivery({ guid, lane: guid, payload: "{}" })));
      await claim(1);
      await store().deliveries.settle("old", OURS.token, "done", null, 20);
      await store().deliveries.settle("older", OURS.token, "ignored", "a bot's", 10);
      await store().deliveries.settle("young", OURS.token, "done", null, 30);
      await store().deliveries.settle("dead", OURS.token, "dead", "boom", 10);
      const emptied = async () => {
        const rows = await Promise.all(all.map((guid) => store().deliveries.get(guid)));
        return guids(rows.flatMap((row) => (row?.payload === "" ? [row] : [])));
      };
      expect(await store().deliveries.dropPayloads(30, 1)).toBe(1);
      expect(await emptied()).toEqual(["older"]);
      expect(await store().deliveries.dropPayloads(30, 10)).toBe(1);
      expect(await emptied()).toEqual(["old", "older"]);
      expect(await store().deliveries.dropPayloads(30, 10)).toBe(0);
      expect(await store().deliveries.known(all)).toEqual(new Set(all));
      expect(await store().deliveries.replay("old")).toBe(false);
      expect(await store().deliveries.replay("young")).toBe(true);
    });

    test("are pending again when an earlier life had claimed them", async () => {
      await store().deliveries.insert([delivery({ guid: "g1" }), delivery({ guid: "g2" })]);
      await claim(1);
      expect(await store().deliveries.reclaim(EVERYTHING)).toBe(1);
      expect(await claim(1)).toEqual(["g1"]);
    });

    test("are known by their guid, in whatever state", async () => {
      const here = ["g1", "g2", "unasked"].map((guid) => delivery({ guid }));
      await store().deliveries.insert(here);
      await claim(1);
      await store().deliveries.settle("g1", OURS.token, "done", null, 1);
      const asked = ["g1", "g2", "g3", ...Array.from({ length: 2000 }, (_, index) => `other-${index}`)];
      expect(await store().deliveries.known(asked)).toEqual(new Set(["g1", "g2"]));
      expect(await store().deliveries.known([])).toEqual(new Set());
    });

    test("of a batch larger than one statement takes are all there", async () => {
      const many = Array.from({ length: 3001 }, (_, index) =>
        delivery({ guid: `g${index}`, lane: `${index}` }),
      );
      await store().deliveries.insert(many);
      expect(await store().deliveries.list({}, 9999)).toHaveLength(3001);
    });
  });
}
