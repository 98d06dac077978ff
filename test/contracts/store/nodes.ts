import { describe, expect, test } from "vitest";
import type { Store } from "../../../src/domain/ports/store.ts";
import { effect, insertAgent } from "../../adapters/store/samples.ts";
import { aNode } from "../../factories/a-node.ts";
import { fresh } from "./fresh.ts";

const ONE = { name: "one", epoch: 1 };
const TWO = { name: "two", epoch: 1 };

/** Nodes on one database, and who runs what only one of them may. */
export function nodeContract(open: () => Promise<Store>): void {
  describe("nodes", () => {
    const store = fresh(open);
    const begin = (name: string, now: number, version = "1.0.0") =>
      store().nodes.begin({ ...aNode(name, { version }), now });

    test("have a new epoch at each start, and the version that runs there", async () => {
      expect(await begin("two", 1)).toBe(1);
      expect(await begin("one", 2)).toBe(1);
      expect(await begin("one", 3, "1.1.0")).toBe(2);
      expect(await store().nodes.list()).toEqual([
        {
          ...aNode("one", { version: "1.1.0" }),
          epoch: 2,
          seenAt: 3,
          stopped: false,
          drainUntil: null,
          drainReason: null,
          freeDiskBytes: null,
        },
        {
          ...aNode("two"),
          epoch: 1,
          seenAt: 1,
          stopped: false,
          drainUntil: null,
          drainReason: null,
          freeDiskBytes: null,
        },
      ]);
    });

    test("are drained, which a new life ends and only the present one has", async () => {
      await begin("one", 1);
      expect(await store().nodes.drain(ONE, 50, "too much failed")).toBe(true);
      expect(await store().nodes.list()).toMatchObject([{ drainUntil: 50, drainReason: "too much failed" }]);
      expect(await store().nodes.drain(ONE, null, null)).toBe(true);
      expect(await store().nodes.list()).toMatchObject([{ drainUntil: null, drainReason: null }]);
      await store().nodes.drain(ONE, 60, "too much failed");
      await begin("one", 2);
      expect(await store().nodes.drain(ONE, 70, null)).toBe(false);
      expect(await store().nodes.list()).toMatchObject([{ epoch: 2, drainUntil: null, drainReason: null }]);
    });

    test("know the time of the server's clock, where there is a server", async () => {
      const time = await store().nodes.time();
      expect(time === null || time > 1_790_000_000_000).toBe(true);
    });

    test("are seen and stopped by their present life only", async () => {
      await begin("one", 1);
      await begin("one", 2);
      expect(await store().nodes.seen(ONE, 50, null)).toBe(false);
      await store().nodes.stopped(ONE);
      expect(await store().nodes.list()).toMatchObject([{ seenAt: 2, stopped: false }]);
      expect(await store().nodes.seen({ ...ONE, epoch: 2 }, 60, 7)).toBe(true);
      await store().nodes.stopped({ ...ONE, epoch: 2 });
      expect(await store().nodes.list()).toMatchObject([{ seenAt: 60, stopped: true, freeDiskBytes: 7 }]);
      await begin("one", 70);
      expect(await store().nodes.list()).toMatchObject([{ seenAt: 70, stopped: false }]);
    });
  });

  describe("effects of agents", () => {
    const store = fresh(open);

    test("wait for the agent's node, where only that can carry them out, while it runs", async () => {
      await store().nodes.begin({ ...aNode("one"), now: 100 });
      const { id: agentId } = await insertAgent(store(), { node: "one" });
      await store().effects.add(
        (["open_session", "status_comment"] as const).map((kind) =>
          effect({ key: kind, lane: kind, agentId, payload: { kind } }),
        ),
      );
      const lease = async (node: string, presentSince?: number, isLeaving = false) => {
        const rows = await store().effects.lease({
          token: node,
          node,
          now: 5000,
          leaseMs: () => 10,
          limit: 9,
          presentSince,
          isLeaving,
        });
        return rows.map(({ kind }) => kind);
      };
      expect(await lease("two", 99)).toEqual(["status_comment"]);
      expect(await lease("two", 99)).toEqual([]);
      expect(await lease("one", 99)).toEqual(["open_session"]);
      await store().effects.reclaim({ nodes: ["one"], now: 0, lagsUntil: 0 });
      // It was not seen for too long.
      expect(await lease("two", 100)).toEqual(["open_session"]);
      await store().effects.reclaim({ nodes: ["two"], now: 0, lagsUntil: 0 });
      // It leaves what another one can do.
      await store().effects.add([
        effect({ key: "more", lane: "more", agentId, payload: { kind: "task_label" } }),
      ]);
      expect(await lease("one", 99, true)).toEqual(["open_session"]);
      await store().effects.reclaim({ nodes: ["one"], now: 0, lagsUntil: 0 });
      await store().nodes.stopped(ONE);
      expect(await lease("two", 99)).toEqual(["open_session", "status_comment", "task_label"]);
    });

    test("go to any node while the agent's node runs no agents any more", async () => {
      await store().nodes.begin({ ...aNode("one", { roles: ["controller", "web"] }), now: 100 });
      const { id: agentId } = await insertAgent(store(), { node: "one" });
      await store().effects.add([effect({ key: "open", agentId, payload: { kind: "open_session" } })]);
      const asked = { token: "two", node: "two", now: 5000, leaseMs: () => 10, limit: 9, presentSince: 99 };
      expect(await store().effects.lease({ ...asked, kinds: ["status_comment"] })).toEqual([]);
      const leased = await store().effects.lease({ ...asked, kinds: ["open_session", "commit"] });
      expect(leased.map(({ kind }) => kind)).toEqual(["open_session"]);
    });
  });

  describe("rounds", () => {
    const store = fresh(open);
    const hold = (life: typeof ONE, now: number, names = ["b", "a"]) =>
      store().rounds.hold(names, life, { now, until: now + 20 });

    test("are held by one node, which keeps them, and taken by another when that time is over", async () => {
      expect((await hold(ONE, 0)).toSorted()).toEqual(["a", "b"]);
      expect(await hold(TWO, 19)).toEqual([]);
      expect((await hold(ONE, 19)).toSorted()).toEqual(["a", "b"]);
      expect(await hold(TWO, 38, ["a"])).toEqual([]);
      expect(await hold(TWO, 39, ["a"])).toEqual(["a"]);
      expect(await hold(ONE, 39)).toEqual(["b"]);
    });

    test("are taken by several nodes at once, each by one of them", async () => {
      const all = await Promise.all([hold(ONE, 0, ["a", "b", "c"]), hold(TWO, 0, ["c", "a", "b"])]);
      expect(all.flat().toSorted()).toEqual(["a", "b", "c"]);
    });

    test("belong to the latest life of their node: an earlier one neither keeps them nor gives them up", async () => {
      await hold(ONE, 0);
      expect((await hold({ ...ONE, epoch: 2 }, 1)).toSorted()).toEqual(["a", "b"]);
      expect(await hold(ONE, 2)).toEqual([]);
      await store().rounds.release(ONE);
      expect(await hold(TWO, 3)).toEqual([]);
    });

    test("that were given up are taken at once", async () => {
      await hold(ONE, 0);
      await store().rounds.release(ONE);
      expect((await hold(TWO, 1)).toSorted()).toEqual(["a", "b"]);
    });
  });
}
