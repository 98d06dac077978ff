import { describe, expect, test } from "vitest";
import type { Store } from "../../../src/domain/ports/store.ts";
import {
  refusedStart as decision,
  delivery,
  effect,
  insertAgent,
  repository,
  wake,
} from "../../adapters/store/samples.ts";
import { CLAIM, OURS } from "../../factories/leases.ts";
import { fresh } from "./fresh.ts";

const move = {
  at: 10,
  machine: "task",
  recordId: 1,
  agentId: null,
  repositoryId: repository.id,
  issue: 42,
  actor: "ada",
  event: "CREATE",
  from: "NONE",
  to: "OPEN",
  evidence: null,
} as const;
const input = {
  guid: "d1",
  repositoryId: repository.id,
  issue: 42,
  at: 10,
  answers: { "issue(acme/rocket, 42)": { answer: null } },
};

export function keptContract(open: () => Promise<Store>): void {
  describe("what is kept for a while", () => {
    const store = fresh(open);

    test("nothing is in a list of nothing", async () => {
      const { archives, checks, deliveries, questions, seenPulls } = store();
      const asked = [
        archives.ofAgents([]),
        checks.flakes(repository.id, []),
        seenPulls.ofRepositories([]),
        questions.ofAgents([]),
      ];
      expect(await Promise.all(asked)).toEqual([[], [], [], []]);
      expect(await deliveries.known([])).toEqual(new Set());
    });

    test("a delivery's inputs are kept with the rows that it rests on, and what it wrote is its outcome", async () => {
      await insertAgent(store());
      await store().transaction(async (tables) => {
        await tables.replayInputs.begin(input);
        await tables.decisions.add({ ...decision, delivery: "d1" });
        await tables.replayInputs.end("d1");
      });
      const kept = await store().replayInputs.get("d1");
      expect(kept).toEqual({ ...input, known: kept?.known });
      expect(kept?.known?.byteLength).toBeGreaterThan(0);
      expect(await store().replayInputs.outcome("d1")).toEqual({
        transitions: [],
        decisions: [{ rule: "slot", agentId: null, reason: "all slots are in use", change: null }],
        effects: [],
        wakes: [],
      });
      expect(await store().replayInputs.outcome("d2")).toBeUndefined();
    });

    test("the outcome of a delivery is what its last handling wrote, whoever writes meanwhile", async () => {
      const { id: agentId } = await insertAgent(store());
      const { transitions, decisions, effects, wakes, replayInputs } = store();
      const write = async (guid: string | null, what: string) => {
        await transitions.add({ ...move, reason: what, delivery: guid });
        await decisions.add({ ...decision, reason: what, delivery: guid });
        await effects.add([effect({ key: what, lane: what })], guid);
        await wakes.add(wake({ key: what, agentId }), guid);
      };
      await write("d1", "earlier");
      await replayInputs.begin(input);
      await write("d2", "another's");
      await write("d1", "its own");
      await write(null, "a round's");
      await replayInputs.end("d1");
      await write("d1", "later");
      expect(await replayInputs.outcome("d1")).toMatchObject({
        transitions: [{ reason: "its own" }],
        decisions: [{ reason: "its own" }],
        effects: [{ key: "its own" }],
        wakes: [{ key: "its own" }],
      });
    });

    test("inputs are found by their issue in the order of their decisions, and go with their time", async () => {
      const { replayInputs } = store();
      await replayInputs.begin({ ...input, guid: "d2", at: 20 });
      await replayInputs.begin(input);
      await replayInputs.begin({ ...input, guid: "d3", issue: 43, at: 30 });
      await replayInputs.begin({ ...input, guid: "d4" });
      await replayInputs.ignored({ guid: "d5", at: 10, answers: {} });
      expect(await replayInputs.ofIssue(repository.id, 42)).toEqual(["d1", "d4", "d2"]);
      expect(await replayInputs.latestIssues(repository.id, 10)).toEqual([43, 42]);
      expect(await replayInputs.get("d5")).toMatchObject({ issue: null, known: null });
      await replayInputs.drop(20, 1);
      expect(await replayInputs.ofIssue(repository.id, 42)).toEqual(["d4", "d2"]);
      await replayInputs.drop(20, 10);
      expect(await replayInputs.ofIssue(repository.id, 42)).toEqual(["d2"]);
      expect(await replayInputs.get("d5")).toBeUndefined();
    });

    test("each walk goes through its table, and what is over goes in slices", async () => {
      const { deliveries, retention } = store();
      const guids = ["g1", "g2", "g3"];
      await deliveries.insert(guids.map((guid, at) => delivery({ guid, lane: guid, receivedAt: at })));
      await deliveries.claim({ ...CLAIM, now: 10, limit: 3 });
      for (const guid of guids) await deliveries.settle(guid, OURS.token, "done", null, 5);
      const walk = { table: "delivery", kind: "deliveries" } as const;
      const first = await retention.sweep(walk, { from: 0, before: 2, limit: 1 });
      expect(first).toEqual({ to: expect.any(Number), deleted: 1 });
      const rest = await retention.sweep(walk, { from: first.to ?? 0, before: 2, limit: 10 });
      expect(rest).toEqual({ to: null, deleted: 1 });
      expect([...(await deliveries.known(guids))]).toEqual(["g3"]);
      for (const each of retention.walks)
        expect(await retention.sweep(each, { from: 0, before: 1_764_000_000_000, limit: 10 })).toMatchObject({
          to: null,
        });
    });

    test("an issue whose agents ended long ago goes with all that hangs on it", async () => {
      const { id } = await insertAgent(store(), { state: "COMPLETED", endedAt: 5 });
      await store().decisions.add({ ...decision, agentId: id, delivery: null });
      const walk = { table: "agent", kind: "records" } as const;
      await store().retention.sweep(walk, { from: 0, before: 5, limit: 100 });
      expect(await store().records.get("agent", id)).toBeDefined();
      await store().retention.sweep(walk, { from: 0, before: 6, limit: 100 });
      expect(await store().records.get("agent", id)).toBeUndefined();
      expect(await store().decisions.ofIssue(repository.id, 42, 10)).toEqual([]);
    });

    test("calls of ended work become one row for each agent, model and day", async () => {
      const { id: agentId } = await insertAgent(store(), { state: "COMPLETED", endedAt: 5 });
      const usage = {
        agentId,
        model: "m",
        inputTokens: 1,
        outputTokens: 2,
        cachedTokens: 3,
        costMicroUsd: 4,
      };
      for (const at of [1, 2, 3]) await store().usage.add({ ...usage, at });
      const walk = { table: "usage", kind: "details" } as const;
      expect(await store().retention.sweep(walk, { from: 0, before: 10, limit: 100 })).toMatchObject({
        deleted: 2,
      });
      const slices = await Array.fromAsync(store().ledger.slices(0, { repositoryId: 7, issues: [42] }));
      expect(slices.flatMap((slice) => slice.usage)).toMatchObject([{ inputTokens: 3, costMicroUsd: 12 }]);
      expect(await store().lists.costs(0)).toEqual([{ repositoryId: repository.id, costMicroUsd: 12 }]);
    });
  });
}
