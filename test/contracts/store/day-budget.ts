import { describe, expect, test } from "vitest";
import { LARGEST } from "../../../src/domain/commands/extension.ts";
import type { Store } from "../../../src/domain/ports/store.ts";
import { insertAgent, repository } from "../../adapters/store/samples.ts";
import { fresh } from "./fresh.ts";

const DAY = 20_000;
const DAY_MS = 86_400_000;

export function dayBudgetContract(open: () => Promise<Store>): void {
  describe("a repository's day", () => {
    const store = fresh(open);

    test("has spent what its agents' calls of that day cost", async () => {
      const { id: agentId } = await insertAgent(store());
      const call = { agentId, model: "m", inputTokens: 1, outputTokens: 1, cachedTokens: 0 };
      expect(await store().budget.spent(repository.id, DAY)).toBe(0);
      for (const [at, costMicroUsd] of [
        [DAY * DAY_MS - 1, 1],
        [DAY * DAY_MS, 20],
        [(DAY + 1) * DAY_MS - 1, 300],
      ] as const)
        await store().usage.add({ ...call, costMicroUsd, at });
      expect(await store().budget.spent(repository.id, DAY)).toBe(320);
      expect(await store().budget.spent(8, DAY)).toBe(0);
    });

    test("has spent what several repositories cost since a day", async () => {
      await store().repositories.put({ ...repository, id: 8, name: "other" });
      const call = { model: "m", inputTokens: 1, outputTokens: 1, cachedTokens: 0 };
      for (const [issue, [repositoryId, day, costMicroUsd]] of [
        [7, DAY - 1, 1],
        [7, DAY, 20],
        [7, DAY + 1, 300],
        [8, DAY, 4000],
      ].entries()) {
        const { id: agentId } = await insertAgent(store(), { repositoryId: repositoryId ?? 0, issue });
        await store().usage.add({
          ...call,
          agentId,
          costMicroUsd: costMicroUsd ?? 0,
          at: (day ?? 0) * DAY_MS,
        });
      }
      expect(await store().budget.spentSince([7], DAY)).toBe(320);
      expect(await store().budget.spentSince([7, 8], DAY)).toBe(4320);
      expect(await store().budget.spentSince([7, 8], DAY + 2)).toBe(0);
      expect(await store().budget.spentSince([], DAY)).toBe(0);
    });

    test("has started the agents that went from CREATED to ACTIVE since a moment", async () => {
      const move = {
        machine: "agent",
        recordId: 1,
        agentId: null,
        repositoryId: repository.id,
        issue: 42,
        actor: "flotilla",
        from: "CREATED",
        to: "ACTIVE",
        reason: null,
        evidence: null,
        delivery: null,
      } as const;
      for (const [event, at] of [
        ["START", 9],
        ["START", 10],
        ["START", 12],
        ["WAKE", 13],
      ] as const)
        await store().transitions.add({ ...move, event, at });
      await store().transitions.add({ ...move, machine: "run", event: "START", at: 14 });
      expect(await store().budget.startedSince(repository.id, 10)).toBe(2);
      expect(await store().budget.startedSince(8, 0)).toBe(0);
    });

    test("is raised by the sum of the grants for that day", async () => {
      const grant = { repositoryId: repository.id, grantedBy: "ada", issue: 42, at: 5 };
      await store().budget.grant({ ...grant, day: DAY, costMicroUsd: 5, agents: 0 });
      await store().budget.grant({ ...grant, day: DAY, costMicroUsd: 7, agents: 3 });
      await store().budget.grant({ ...grant, day: DAY + 1, costMicroUsd: 100, agents: 100 });
      expect(await store().budget.granted(repository.id, DAY)).toEqual({ costMicroUsd: 12, agents: 3 });
      expect(await store().budget.granted(repository.id, DAY - 1)).toEqual({ costMicroUsd: 0, agents: 0 });
    });

    test("is raised by no more than can be granted, however large the sum is", async () => {
      const most = { costMicroUsd: 9e18, agents: 9e18 };
      const grant = { repositoryId: repository.id, grantedBy: "ada", issue: 42, at: 5, day: DAY, ...most };
      await store().budget.grant(grant);
      await store().budget.grant(grant);
      expect(await store().budget.granted(repository.id, DAY)).toEqual({
        costMicroUsd: LARGEST,
        agents: LARGEST,
      });
    });
  });
}
