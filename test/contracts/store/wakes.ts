import { describe, expect, test } from "vitest";
import { NO_GRANT } from "../../../src/domain/commands/extension.ts";
import type { Store } from "../../../src/domain/ports/store.ts";
import { effect, insertAgent, wake } from "../../adapters/store/samples.ts";
import { OURS } from "../../factories/leases.ts";
import { fresh } from "./fresh.ts";

const keys = (rows: readonly { key: string }[]) => rows.map(({ key }) => key);
const intent = (agentId: number, kind: "report_blocked" | "report_complete") => ({
  agentId,
  token: 2,
  kind,
  payload: { summary: "done" },
  commit: "abc",
  createdAt: 10,
});

export function wakeContract(open: () => Promise<Store>): void {
  describe("wakes", () => {
    const store = fresh(open);

    test("happen once for each cause, and keep what a person granted", async () => {
      const { id: agentId } = await insertAgent(store(), { state: "SLEEPING" });
      const granted = wake({ key: "k", agentId, grant: { ...NO_GRANT, by: ["alice"], turns: 5, wakes: 1 } });
      expect(await store().wakes.add(granted)).toBe(true);
      expect(await store().wakes.add(granted)).toBe(false);
      const [row, ...more] = await store().wakes.pending(agentId);
      expect(more).toEqual([]);
      expect(row).toEqual({ ...granted, id: row?.id, state: "pending", settledAt: null });
    });

    test("that were delivered last are read back, oldest first", async () => {
      const { id: agentId } = await insertAgent(store(), { state: "SLEEPING" });
      for (const key of ["a", "b", "c", "d"]) await store().wakes.add(wake({ key, agentId }));
      const [a, b, c] = await store().wakes.pending(agentId);
      for (const [at, row] of [a, b, c].entries())
        if (row !== undefined) await store().wakes.settle([row.id], row === b ? "dropped" : "delivered", at);
      expect(keys(await store().wakes.delivered(agentId, 5))).toEqual(["a", "c"]);
      expect(keys(await store().wakes.delivered(agentId, 1))).toEqual(["c"]);
    });

    test("are due for agents that sleep or are escalated, when their time has come, oldest first", async () => {
      const sleeper = await insertAgent(store(), { issue: 1, state: "SLEEPING" });
      const escalated = await insertAgent(store(), { issue: 2, state: "ESCALATED" });
      const active = await insertAgent(store(), { issue: 3, state: "ACTIVE" });
      await store().wakes.add(wake({ key: "late", agentId: sleeper.id, dueAt: 501 }));
      await store().wakes.add(wake({ key: "escalated", agentId: escalated.id, dueAt: 500 }));
      await store().wakes.add(wake({ key: "active", agentId: active.id, dueAt: 0 }));
      await store().wakes.add(wake({ key: "sleeper", agentId: sleeper.id, dueAt: 0 }));
      expect(keys(await store().wakes.due(500, [sleeper.id, escalated.id, active.id]))).toEqual([
        "escalated",
        "sleeper",
      ]);
      expect(keys(await store().wakes.due(500, [sleeper.id]))).toEqual(["sleeper"]);
      expect(await store().wakes.dueAgents(500)).toEqual(
        new Map([[escalated.repositoryId, [escalated.id, sleeper.id]]]),
      );
      expect(keys(await store().wakes.pending(sleeper.id))).toEqual(["late", "sleeper"]);
    });

    test("name the first agent that could go: one to start, or one whose wake is due, and that nobody holds", async () => {
      const held = await insertAgent(store(), { issue: 1, state: "SLEEPING", heldBy: ["person"] });
      const asleep = await insertAgent(store(), { issue: 2, state: "SLEEPING" });
      const awakes = await insertAgent(store(), { issue: 3, state: "SLEEPING" });
      expect(await store().wakes.firstToGo(500, null)).toBeUndefined();
      const created = await insertAgent(store(), { issue: 4, state: "CREATED" });
      expect(await store().wakes.firstToGo(500, null)).toBe(created.id);
      for (const { id } of [held, awakes])
        await store().wakes.add(wake({ key: `w${id}`, agentId: id, dueAt: 0 }));
      expect(await store().wakes.firstToGo(500, asleep.repositoryId)).toBe(awakes.id);
      expect(await store().wakes.firstToGo(500, asleep.repositoryId + 1)).toBeUndefined();
    });

    test("are not due while the stop of the last period is under way", async () => {
      const { id: agentId } = await insertAgent(store(), { state: "SLEEPING" });
      await store().wakes.add(wake({ key: "k", agentId }));
      const stop = { kind: "close_session", checkpoint: true, destroy: false } as const;
      await store().effects.add([effect({ key: "stop", agentId, payload: stop })]);
      expect(await store().wakes.due(5000, [agentId])).toEqual([]);
      const [leased] = await store().effects.lease({ ...OURS, now: 5000, leaseMs: () => 10, limit: 1 });
      expect(await store().wakes.due(5000, [agentId])).toEqual([]);
      await store().effects.settle(leased?.id ?? 0, OURS.token, {
        state: "done",
        result: null,
        error: null,
        at: 5001,
      });
      expect(keys(await store().wakes.due(5000, [agentId]))).toEqual(["k"]);
    });

    test("are settled once, together, and none when there are none", async () => {
      const { id: agentId } = await insertAgent(store(), { state: "SLEEPING" });
      for (const key of ["a", "b", "c"]) await store().wakes.add(wake({ key, agentId }));
      const [a, b] = await store().wakes.pending(agentId);
      await store().wakes.settle([a?.id ?? 0, b?.id ?? 0], "delivered", 77);
      await store().wakes.settle([], "dropped", 78);
      expect(keys(await store().wakes.pending(agentId))).toEqual(["c"]);
      expect(keys(await store().wakes.due(5000, [agentId]))).toEqual(["c"]);
    });
  });

  describe("intents", () => {
    const store = fresh(open);

    test("are the first of an exchange; a second is refused until that one is settled", async () => {
      const { id: agentId } = await insertAgent(store(), { state: "ACTIVE" });
      const first = await store().intents.add(intent(agentId, "report_blocked"));
      expect(first).toEqual({
        ...intent(agentId, "report_blocked"),
        id: first?.id,
        state: "recorded",
        reason: null,
      });
      expect(await store().intents.add(intent(agentId, "report_complete"))).toBeUndefined();
      expect(await store().intents.recorded(agentId)).toEqual(first);
      await store().intents.settle(first?.id ?? 0, "refused", "the blocker is closed");
      expect(await store().intents.recorded(agentId)).toBeUndefined();
      expect(await store().intents.add(intent(agentId, "report_complete"))).toMatchObject({
        kind: "report_complete",
      });
    });

    test("of different agents do not meet", async () => {
      const one = await insertAgent(store(), { issue: 1 });
      const two = await insertAgent(store(), { issue: 2 });
      await store().intents.add(intent(one.id, "report_blocked"));
      expect(await store().intents.recorded(two.id)).toBeUndefined();
      expect(await store().intents.add(intent(two.id, "report_blocked"))).toMatchObject({ agentId: two.id });
      for (const { id } of [one, two])
        expect(await store().intents.recorded(id)).toMatchObject({ agentId: id });
    });
  });
}
