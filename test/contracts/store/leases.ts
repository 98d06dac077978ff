import { describe, expect, test } from "vitest";
import type { Store } from "../../../src/domain/ports/store.ts";
import { delivery, effect } from "../../adapters/store/samples.ts";
import { fresh } from "./fresh.ts";

const FIRST = { token: "first", node: "one" };
const SECOND = { token: "second", node: "two" };

const done = { state: "done", result: null, error: null, at: 9 } as const;
const failed = { notBefore: 0, error: "502", uncertain: false, lagsUntil: 0, countAttempt: true };
const later = { notBefore: 0, note: "502", countAttempt: true };

/** Two processes on one store: what the one began, and the other claimed when the lease had ended. */
export function leaseContract(open: () => Promise<Store>): void {
  describe("leases", () => {
    const store = fresh(open);
    const lease = (now: number, by = FIRST) =>
      store().effects.lease({ ...by, now, leaseMs: () => 100, limit: 10 });
    const claim = (now: number, by = FIRST) =>
      store().deliveries.claim({ ...by, now, leaseMs: 100, limit: 10 });
    const reclaim = async (node: string | null, now: number) => {
      const abandoned = { nodes: node === null ? null : [node], now };
      return [
        await store().effects.reclaim({ ...abandoned, lagsUntil: 0 }),
        await store().deliveries.reclaim(abandoned),
      ];
    };

    /** An effect and a delivery, which the first took at 0, and the second when that lease was over. */
    async function takenOver(): Promise<number> {
      const [id = 0] = await store().effects.add([effect({ key: "e" })]);
      await store().deliveries.insert([delivery({ guid: "g" })]);
      expect([await lease(0), await claim(0)]).toMatchObject([[{ key: "e" }], [{ guid: "g" }]]);
      expect(await reclaim("two", 100)).toEqual([1, 1]);
      expect([await lease(100, SECOND), await claim(100, SECOND)]).toMatchObject([
        [{ key: "e", uncertain: true }],
        [{ guid: "g" }],
      ]);
      return id;
    }
    const rows = async (id: number) => [await store().effects.get(id), await store().deliveries.get("g")];

    test("that were lost settle nothing, and retry nothing: only the one that has it now does", async () => {
      const id = await takenOver();
      const before = await rows(id);
      expect(await store().effects.settle(id, FIRST.token, done)).toBe(false);
      expect(await store().effects.retry(id, FIRST.token, failed)).toBe(false);
      expect(await store().deliveries.settle("g", FIRST.token, "dead", "late", 9)).toBe(false);
      expect(await store().deliveries.retry("g", FIRST.token, later)).toBe(false);
      expect(await rows(id)).toEqual(before);
      expect(before).toMatchObject([{ state: "leased" }, { state: "claimed" }]);
      expect(await store().effects.settle(id, SECOND.token, done)).toBe(true);
      expect(await store().deliveries.settle("g", SECOND.token, "done", null, 9)).toBe(true);
    });

    test("that were lost change nothing either once the other has made the row pending again", async () => {
      const id = await takenOver();
      expect(await store().effects.retry(id, SECOND.token, failed)).toBe(true);
      expect(await store().deliveries.retry("g", SECOND.token, later)).toBe(true);
      for (const { token } of [FIRST, SECOND]) {
        expect(await store().effects.settle(id, token, done)).toBe(false);
        expect(await store().deliveries.settle("g", token, "done", null, 9)).toBe(false);
      }
      expect(await rows(id)).toMatchObject([{ state: "pending" }, { state: "pending" }]);
    });

    test("of the same node are told apart too: each claim has a token of its own", async () => {
      const [id = 0] = await store().effects.add([effect({ key: "e" })]);
      await store().deliveries.insert([delivery({ guid: "g" })]);
      await Promise.all([lease(0), claim(0)]);
      await reclaim("one", 0);
      const again = { ...FIRST, token: "again" };
      await Promise.all([lease(0, again), claim(0, again)]);
      expect(await store().effects.settle(id, FIRST.token, done)).toBe(false);
      expect(await store().deliveries.settle("g", FIRST.token, "done", null, 9)).toBe(false);
      expect(await rows(id)).toMatchObject([{ state: "leased" }, { state: "claimed" }]);
    });

    test("of a lost node are released by kind: what may still reach GitHub keeps its lease", async () => {
      const kinds = [{ kind: "open_session" }, { kind: "status_comment" }] as const;
      await store().effects.add(
        kinds.map((payload) => effect({ key: payload.kind, lane: payload.kind, payload })),
      );
      await lease(0);
      const lost = { nodes: ["one"], kinds: ["open_session"], now: 99, lagsUntil: 7 } as const;
      expect(await store().effects.reclaim({ ...lost, nodes: ["two"] })).toBe(0);
      expect(await store().effects.reclaim({ ...lost, nodes: [] })).toBe(0);
      expect(await store().effects.reclaim(lost)).toBe(1);
      expect(await store().effects.find({ state: "leased" })).toMatchObject([{ kind: "status_comment" }]);
      expect(await store().effects.reclaim({ ...lost, nodes: [], now: 100 })).toBe(1);
    });

    test("whose answer was lost are taken back by their token, as if they had not been made", async () => {
      const [id = 0] = await store().effects.add([effect({ key: "e" }), effect({ key: "f", lane: "other" })]);
      await store().deliveries.insert([delivery({ guid: "g" })]);
      const before = await rows(id);
      await Promise.all([
        store().effects.lease({ ...FIRST, now: 0, leaseMs: () => 100, limit: 1 }),
        claim(0),
      ]);
      await lease(0, SECOND);
      await store().effects.release(FIRST.token);
      await store().deliveries.release(FIRST.token);
      expect(await rows(id)).toEqual(before);
      expect(await store().effects.find({ state: "leased" })).toMatchObject([{ key: "f" }]);
      expect(await store().effects.settle(id, FIRST.token, done)).toBe(false);
    });

    test("of many that claim at once never meet: each row is claimed by one", async () => {
      const names = Array.from({ length: 40 }, (_, at) => `n${at}`);
      await store().effects.add(names.map((key) => effect({ key, lane: key })));
      await store().deliveries.insert(names.map((guid) => delivery({ guid, lane: guid })));
      const claimers = Array.from({ length: 8 }, (_, at) => ({ token: `t${at}`, node: `n${at}` }));
      const all = claimers.map((by) => ({ ...by, now: 0, limit: 5 }));
      const leased = await Promise.all(all.map((by) => store().effects.lease({ ...by, leaseMs: () => 100 })));
      const claimed = await Promise.all(all.map((by) => store().deliveries.claim({ ...by, leaseMs: 100 })));
      const [effects, deliveries] = [
        leased.flat().map(({ key }) => key),
        claimed.flat().map(({ guid }) => guid),
      ];
      expect(effects.toSorted()).toEqual([...new Set(effects)].toSorted());
      expect(deliveries.toSorted()).toEqual([...new Set(deliveries)].toSorted());
      expect(effects.length).toBeGreaterThanOrEqual(5);
      expect(deliveries.length).toBeGreaterThanOrEqual(5);
    });

    test("of other nodes stay until they end; a node's own are released at its start, and all where it is alone", async () => {
      const names = ["a", "b", "c"];
      await store().effects.add(names.map((key) => effect({ key, lane: key })));
      await store().deliveries.insert(names.map((guid) => delivery({ guid, lane: guid })));
      const one = async (by: typeof FIRST, now: number) => {
        await store().effects.lease({ ...by, now, leaseMs: () => 100, limit: 1 });
        await store().deliveries.claim({ ...by, now, leaseMs: 100, limit: 1 });
      };
      await one(FIRST, 0);
      await one(SECOND, 0);
      await one(SECOND, 50);
      const held = async () => [
        (await store().effects.find({ state: "leased" })).map(({ key }) => key),
        (await store().deliveries.list({ state: "claimed" }, 9)).map(({ guid }) => guid).toReversed(),
      ];
      expect(await reclaim("three", 99)).toEqual([0, 0]);
      expect(await held()).toEqual([names, names]);
      expect(await reclaim("one", 99)).toEqual([1, 1]);
      expect(await held()).toEqual([
        ["b", "c"],
        ["b", "c"],
      ]);
      expect(await reclaim("one", 100)).toEqual([1, 1]);
      expect(await held()).toEqual([["c"], ["c"]]);
      expect(await reclaim(null, 100)).toEqual([1, 1]);
      expect(await held()).toEqual([[], []]);
    });
  });
}
