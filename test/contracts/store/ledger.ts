import { describe, expect, test } from "vitest";
import type { Store } from "../../../src/domain/ports/store.ts";
import { ledgerRows } from "../../adapters/store/ledger-rows.ts";
import { insertAgent, repository, task } from "../../adapters/store/samples.ts";
import { fresh } from "./fresh.ts";

const DAY = 86_400_000;

export function ledgerContract(open: () => Promise<Store>): void {
  describe("the ledger's rows", () => {
    const store = fresh(open);
    const move = {
      agentId: null,
      repositoryId: repository.id,
      issue: 42,
      actor: "flotilla",
      event: "ANY",
      reason: null,
      evidence: null,
      delivery: null,
    } as const;

    test("sum the usage by agent, model and day since a moment", async () => {
      const { id: agentId } = await insertAgent(store());
      const call = {
        agentId,
        model: "m",
        inputTokens: 10,
        outputTokens: 3,
        cachedTokens: 2,
        costMicroUsd: 7,
      };
      for (const at of [DAY - 2, DAY - 1, DAY, DAY + 1]) await store().usage.add({ ...call, at });
      await store().usage.add({ ...call, model: "n", at: DAY + 2 });
      const sum = {
        agentId,
        model: "m",
        inputTokens: 20,
        outputTokens: 6,
        cachedTokens: 4,
        costMicroUsd: 14,
      };
      expect((await ledgerRows(store(), DAY)).usage).toEqual([
        { ...sum, day: 1 },
        { ...call, model: "n", day: 1 },
      ]);
      expect((await ledgerRows(store(), DAY - 1)).usage[0]).toMatchObject({ day: 0, costMicroUsd: 7 });
    });

    test("tell when agents went to work and left it, and who is at it", async () => {
      const { id } = await insertAgent(store(), { state: "ACTIVE", activeSince: 9, coder: true });
      await insertAgent(store(), { issue: 43, state: "COMPLETED", activeSince: 3 });
      const states = [
        ["CREATED", "ACTIVE", 1],
        ["ACTIVE", "ACTIVE", 2],
        ["ACTIVE", "SLEEPING", 3],
        ["SLEEPING", "ESCALATED", 4],
        ["ESCALATED", "ACTIVE", 5],
      ] as const;
      for (const [from, to, at] of states)
        await store().transitions.add({ ...move, machine: "agent", recordId: id, from, to, at });
      await store().transitions.add({
        ...move,
        machine: "session",
        recordId: id,
        from: "x",
        to: "ACTIVE",
        at: 6,
      });
      const part = { repositoryId: repository.id, issues: [42, 43] };
      const { awake, agents } = await ledgerRows(store(), 2, part);
      expect(awake).toEqual([
        { agentId: id, at: 3, begins: false },
        { agentId: id, at: 5, begins: true },
      ]);
      expect(agents).toMatchObject([
        { id, issue: 42, role: "feat-dev", coder: true, activeSince: 9 },
        { issue: 43, coder: false, activeSince: null },
      ]);
    });

    test("tell of an agent that was only awake, as of one that still is", async () => {
      for (const [issue, activeSince] of [
        [1, null],
        [2, 3],
      ] as const) {
        const state = activeSince === null ? "SLEEPING" : "ACTIVE";
        const sleepReason = activeSince === null ? "question" : null;
        const { id } = await insertAgent(store(), { issue, state, sleepReason, activeSince });
        if (activeSince !== null) continue;
        const base = {
          actor: "flotilla",
          event: "ANY",
          reason: null,
          evidence: null,
          delivery: null,
        } as const;
        const of = {
          machine: "agent",
          recordId: id,
          agentId: id,
          repositoryId: repository.id,
          issue,
        } as const;
        await store().transitions.add({ ...base, ...of, from: "ACTIVE", to: "SLEEPING", at: 5 });
      }
      const found = await ledgerRows(store(), 4);
      expect(found.agents.map(({ issue }) => issue).toSorted((one, other) => one - other)).toEqual([1, 2]);
    });

    test("tell which tasks were merged or abandoned, with their coder", async () => {
      const coder = await insertAgent(store());
      const ended = await store().records.insert("task", task({ state: "MERGED", assigneeId: coder.id }));
      const of = { ...move, machine: "task", recordId: ended.id, from: "APPROVED" } as const;
      await store().transitions.add({ ...of, to: "MERGED", at: 1 });
      await store().transitions.add({ ...of, to: "ABANDONED", at: 2 });
      await store().transitions.add({ ...of, to: "SUPERSEDED", at: 3 });
      const where = { repositoryId: repository.id, issue: 42, coderId: coder.id };
      expect((await ledgerRows(store(), 1)).ended).toEqual([
        { ...where, merged: true, at: 1 },
        { ...where, merged: false, at: 2 },
      ]);
      expect((await ledgerRows(store(), 2)).ended).toHaveLength(1);
    });

    test("hold each touch once, whoever told of it", async () => {
      const touch = {
        repositoryId: repository.id,
        issue: 42,
        kind: "review",
        key: "review:1",
        at: 5,
      } as const;
      await store().ledger.touch(touch);
      await store().ledger.touch({ ...touch, at: 6 });
      await store().ledger.touch({ ...touch, key: "review:2", at: 7 });
      expect((await ledgerRows(store(), 5)).touches).toEqual([touch, { ...touch, key: "review:2", at: 7 }]);
      expect((await ledgerRows(store(), 6)).touches).toHaveLength(1);
    });
  });
}
