import { describe, expect, test } from "vitest";
import { repositoryScope } from "../../../src/domain/breakers/scope.ts";
import type { EffectRow } from "../../../src/domain/kernel/rows.ts";
import type { Store } from "../../../src/domain/ports/store.ts";
import { effect, insertAgent, repository } from "../../adapters/store/samples.ts";
import { EVERYTHING, OURS } from "../../factories/leases.ts";
import { fresh } from "./fresh.ts";

const done = { state: "done", result: { number: 5 }, error: null, at: 9 } as const;

const keys = (rows: readonly { key: string }[]) => rows.map(({ key }) => key);
const status = (key: string, lane: string) => effect({ key, lane, payload: { kind: "status_comment" } });

const opens = (key: string, issue: number) =>
  effect({
    key,
    issue,
    lane: key,
    payload: { kind: "create_blocker_issue", name: key, title: "T", body: "", labels: [] },
  });

export function effectContract(open: () => Promise<Store>): void {
  describe("effects", () => {
    const store = fresh(open);
    const lease = (now: number, limit = 10) =>
      store().effects.lease({ ...OURS, now, leaseMs: () => 100, limit });

    test("are added once for each key, and their ids come back in order", async () => {
      const [first, second] = await store().effects.add([effect({ key: "a" }), effect({ key: "b" })]);
      const again = await store().effects.add([effect({ key: "b", issue: 9 }), effect({ key: "a" })]);
      expect(again).toEqual([second, first]);
      const rows = await store().effects.find({});
      expect(rows).toHaveLength(2);
      expect(rows[1]).toEqual({
        ...effect({ key: "b" }),
        id: second,
        kind: "add_labels",
        state: "pending",
        attempts: 0,
        notBefore: 0,
        leasedUntil: null,
        uncertain: false,
        lagsUntil: 0,
        result: null,
        error: null,
        settledAt: null,
      });
    });

    test("tell for which issue an agent opened another, and of a person's issue nothing", async () => {
      const ids = await store().effects.add([
        opens("a", 1),
        opens("b", 2),
        effect({ key: "other", lane: "o" }),
      ]);
      await lease(1);
      for (const [index, number] of [5, 6, 7].entries())
        await store().effects.settle(ids[index] ?? 0, OURS.token, { ...done, result: { number } });
      const openedFor = (issue: number, id = repository.id) => store().effects.openedFor(id, issue);
      expect(await Promise.all([5, 6, 7, 1].map((issue) => openedFor(issue)))).toEqual([
        1,
        2,
        undefined,
        undefined,
      ]);
      expect(await openedFor(5, repository.id + 1)).toBeUndefined();
    });

    test("that were only looks are forgotten once they were done long enough, the oldest first", async () => {
      const looks = ["young", "older", "old", "failed", "open"].map((key) =>
        effect({ key, lane: key, payload: { kind: "look_at_issue" } }),
      );
      const ids = await store().effects.add([...looks, effect({ key: "write", lane: "write" })]);
      await lease(1);
      for (const [index, at] of [30, 10, 20].entries())
        await store().effects.settle(ids[index] ?? 0, OURS.token, { ...done, at });
      await store().effects.settle(ids[3] ?? 0, OURS.token, { ...done, state: "failed", at: 10 });
      await store().effects.settle(ids[5] ?? 0, OURS.token, { ...done, at: 10 });
      expect(await store().effects.dropRefreshes(30, 1)).toBe(1);
      expect(keys(await store().effects.find({}))).not.toContain("older");
      expect(await store().effects.dropRefreshes(30, 10)).toBe(1);
      expect(await store().effects.dropRefreshes(30, 10)).toBe(0);
      expect(keys(await store().effects.find({}))).toEqual(["young", "failed", "open", "write"]);
    });

    test("settles what was carried out together with a leased effect, and nothing that is settled or leased", async () => {
      const [first = 0, leased = 0, waiting = 0, other = 0] = await store().effects.add(
        ["1", "2", "3", "4"].map((key) => effect({ key, lane: key === "4" ? "other" : "lane" })),
      );
      await lease(1, 1);
      await store().effects.settle(first, OURS.token, { ...done, result: { of: "itself" } });
      await lease(1, 1);
      await store().effects.settleTogether([first, leased, waiting], { result: { with: leased }, at: 7 });
      await store().effects.settleTogether([], { result: null, at: 7 });
      const all = await store().effects.find({ id: [first, leased, waiting, other] });
      expect(all.map(({ state, result, settledAt }) => [state, result, settledAt])).toEqual([
        ["done", { of: "itself" }, done.at],
        ["leased", null, null],
        ["done", { with: leased }, 7],
        ["pending", null, null],
      ]);
    });

    test("wait only once in a lane when they rewrite the status comment", async () => {
      const [first] = await store().effects.add([status("s1", "x")]);
      expect(await store().effects.add([status("s2", "x")])).toEqual([first]);
      await store().effects.add([status("s3", "y")]);
      await lease(1);
      await store().effects.add([status("s4", "x")]);
      expect(keys(await store().effects.find({ kind: "status_comment" }))).toEqual(["s1", "s3", "s4"]);
    });

    test("are found by lane and kind, the newest in one of the states", async () => {
      const latest = async (states?: readonly EffectRow["state"][], lane = "x") =>
        (await store().effects.latest(lane, "status_comment", states))?.key;
      const [first] = await store().effects.add([status("s1", "x"), status("s2", "y")]);
      expect(await latest(["leased", "done"])).toBeUndefined();
      await lease(1);
      await store().effects.settle(first ?? 0, OURS.token, done);
      await store().effects.add([status("s3", "x"), effect({ key: "other", lane: "x" })]);
      expect([await latest(), await latest(["done"]), await latest([], "z")]).toEqual([
        "s3",
        "s1",
        undefined,
      ]);
    });

    test("are leased one of a lane at a time, oldest first, for the time that their kind may take", async () => {
      await store().effects.add([
        effect({ key: "a1", lane: "a" }),
        effect({ key: "a2", lane: "a" }),
        effect({ key: "b1", lane: "b", payload: { kind: "open_session" } }),
      ]);
      const leased = await store().effects.lease({
        ...OURS,
        now: 50,
        leaseMs: (kind) => (kind === "open_session" ? 1000 : 10),
        limit: 10,
      });
      expect(leased.map(({ key, state, leasedUntil }) => [key, state, leasedUntil])).toEqual([
        ["a1", "leased", 60],
        ["b1", "leased", 1050],
      ]);
      expect(await lease(50)).toEqual([]);
      expect(await store().effects.settle(leased[0]?.id ?? 0, OURS.token, done)).toBe(true);
      expect(keys(await lease(50))).toEqual(["a2"]);
    });

    test("are leased of one lane alone where it is named", async () => {
      await store().effects.add([effect({ key: "a1", lane: "a" }), effect({ key: "b1", lane: "b" })]);
      const ofLane = { ...OURS, now: 1, leaseMs: () => 100, limit: 10, lane: "b" };
      expect(keys(await store().effects.lease(ofLane))).toEqual(["b1"]);
      expect(await store().effects.lease(ofLane)).toEqual([]);
      expect(keys(await lease(1))).toEqual(["a1"]);
    });

    test("of an issue wait while GitHub takes nothing there, and those of its agents do not", async () => {
      const { id: agentId } = await insertAgent(store());
      await store().effects.add([
        effect({ key: "said", lane: "issue:7#1", repositoryId: repository.id }),
        effect({ key: "stop", lane: `agent:${agentId}`, repositoryId: repository.id }),
      ]);
      const pause = { scope: repositoryScope(repository.id), by: "@alice", reason: null, since: 1 } as const;
      for (const holder of ["person", "suspended", "archived"] as const)
        await store().scopePauses.add({ ...pause, holder });
      expect(keys(await lease(1))).toEqual(["stop"]);
      await store().scopePauses.lift(pause.scope, "suspended");
      expect(keys(await lease(1))).toEqual([]);
      await store().scopePauses.lift(pause.scope, "archived");
      expect(keys(await lease(1))).toEqual(["said"]);
    });

    test("are leased up to the limit", async () => {
      await store().effects.add(["a", "b", "c"].map((key) => effect({ key, lane: key })));
      expect(keys(await lease(1, 2))).toEqual(["a", "b"]);
      expect(keys(await lease(1, 2))).toEqual(["c"]);
    });

    test("hold up their lane while they wait for another try", async () => {
      await store().effects.add([effect({ key: "a1" }), effect({ key: "a2" })]);
      const [row] = await lease(1);
      await store().effects.retry(row?.id ?? 0, OURS.token, {
        notBefore: 500,
        error: "502",
        uncertain: false,
        lagsUntil: 600,
        countAttempt: true,
      });
      expect(await lease(499)).toEqual([]);
      const [again] = await lease(500);
      expect(again).toMatchObject({ key: "a1", attempts: 1, uncertain: false, error: "502", notBefore: 500 });
    });

    test("stay uncertain once they were, and count only the tries that are to count", async () => {
      await store().effects.add([effect({ key: "a" })]);
      const [row] = await lease(1);
      const id = row?.id ?? 0;
      await store().effects.retry(id, OURS.token, {
        notBefore: 1,
        error: "reset",
        uncertain: true,
        lagsUntil: 500,
        countAttempt: true,
      });
      await lease(1);
      await store().effects.retry(id, OURS.token, {
        notBefore: 1,
        error: "parked",
        uncertain: false,
        lagsUntil: 600,
        countAttempt: false,
      });
      expect(await store().effects.get(id)).toMatchObject({
        state: "pending",
        uncertain: true,
        lagsUntil: 500,
        attempts: 1,
      });
    });

    test("are settled once, and only while leased", async () => {
      const [id = 0] = await store().effects.add([effect({ key: "a" })]);
      expect(await store().effects.settle(id, OURS.token, done)).toBe(false);
      await lease(1);
      expect(await store().effects.settle(id, OURS.token, done)).toBe(true);
      expect(await store().effects.settle(id, OURS.token, { ...done, state: "failed" })).toBe(false);
      await store().effects.retry(id, OURS.token, {
        notBefore: 1,
        error: "late",
        uncertain: false,
        lagsUntil: 600,
        countAttempt: true,
      });
      expect(await store().effects.get(id)).toMatchObject({
        state: "done",
        result: { number: 5 },
        error: null,
        settledAt: 9,
        leasedUntil: null,
      });
      expect(await store().effects.get(id + 1)).toBeUndefined();
    });

    test("are pending again and uncertain when an earlier life had leased them", async () => {
      const [, second = 0] = await store().effects.add([
        effect({ key: "a", lane: "a" }),
        effect({ key: "b", lane: "b" }),
        effect({ key: "c", lane: "c" }),
      ]);
      await lease(1, 2);
      await store().effects.settle(second, OURS.token, done);
      expect(await store().effects.reclaim({ ...EVERYTHING, lagsUntil: 700 })).toBe(1);
      const rows = await store().effects.find({ lane: ["a", "b", "c"] });
      expect(rows.map(({ state, uncertain, lagsUntil }) => [state, uncertain, lagsUntil])).toEqual([
        ["pending", true, 700],
        ["done", false, 0],
        ["pending", false, 0],
      ]);
    });

    test("are found by agent, kind and state", async () => {
      const { id: agentId } = await insertAgent(store());
      await store().effects.add([effect({ key: "a", agentId, token: 2 }), effect({ key: "b" })]);
      expect(
        keys(await store().effects.find({ agentId, kind: "add_labels", state: ["pending", "leased"] })),
      ).toEqual(["a"]);
      expect(keys(await store().effects.find({ agentId: null }))).toEqual(["b"]);
      expect(keys(await store().effects.find({ key: "b", state: "done" }))).toEqual([]);
    });

    test("that failed are tried again, and look first whether they were done", async () => {
      const { effects } = store();
      const [id = 0] = await effects.add([effect({ key: "a" })]);
      expect(await effects.replay(id)).toBe(false);
      await lease(1);
      await effects.settle(id, OURS.token, { state: "failed", result: null, error: "422", at: 5 });
      expect(await effects.replay(id)).toBe(true);
      expect(await effects.get(id)).toMatchObject({ state: "pending", uncertain: true, attempts: 0 });
    });
  });
}
