import { describe, expect, test } from "vitest";
import { noProgressYet } from "../../../src/domain/breakers/progress.ts";
import type { Store } from "../../../src/domain/ports/store.ts";
import { agent, repository, started } from "../../adapters/store/samples.ts";
import { fresh } from "./fresh.ts";

export function guardContract(open: () => Promise<Store>): void {
  describe("what guards agents", () => {
    const store = fresh(open);

    test("keeps what a conversation left, oldest first, of its agent alone", async () => {
      const { records, repositories, handoffs } = store();
      await repositories.put(repository);
      const one = await records.insert("agent", agent({}));
      const handoff = {
        agentId: one.id,
        sessionId: "s-1",
        cause: "context",
        writtenBy: "agent",
        summary: "Half done.",
        nextAction: "The rest.",
        repeated: null,
        createdAt: 10,
      } as const;
      await handoffs.add(handoff);
      await handoffs.add({ ...handoff, cause: "no_progress", writtenBy: "host", repeated: "view a" });
      expect(await handoffs.ofAgent(one.id)).toEqual([
        { id: 1, ...handoff },
        { id: 2, ...handoff, cause: "no_progress", writtenBy: "host", repeated: "view a" },
      ]);
      expect(await handoffs.ofAgent(one.id + 1)).toEqual([]);
    });

    test("keeps one progress of an agent, the latest", async () => {
      const { records, repositories, progress } = store();
      await repositories.put(repository);
      const { id: agentId } = await records.insert("agent", agent({}));
      expect(await progress.get(agentId)).toBeUndefined();
      const begun = noProgressYet({ changes: true, tree: "t0" });
      await progress.put({ agentId, progress: begun, moveId: 0, wakeId: 0 });
      const later = {
        ...begun,
        begun: true,
        known: ["a"],
        turns: [{ mark: "m", waits: false }],
        idle: 2,
        reading: 3,
        failures: { check: { mark: "m", count: 4 } },
      };
      await progress.put({ agentId, progress: later, moveId: 5, wakeId: 6 });
      expect(await progress.get(agentId)).toEqual({ agentId, progress: later, moveId: 5, wakeId: 6 });
      expect(await progress.get(agentId + 1)).toBeUndefined();
    });

    test("keeps incidents, and changes of them only what is named", async () => {
      const { repositories, incidents } = store();
      await repositories.put(repository);
      const opened = await incidents.add({
        state: "open",
        scope: `repository:${repository.id}`,
        fingerprint: "f",
        text: "died",
        repositoryId: repository.id,
        firstIssue: 1,
        issue: null,
        openedAt: 10,
        probeAt: 20,
        probeAgentId: null,
        probeSince: null,
        failedProbes: 0,
        closedAt: null,
      });
      const { id: _, ...same } = opened;
      const other = await incidents.add({ ...same, fingerprint: "g" });
      await incidents.set(opened.id, { issue: 9 });
      await incidents.set(opened.id, { state: "closed", closedAt: 30 });
      expect(await incidents.list()).toEqual([{ ...opened, issue: 9, state: "closed", closedAt: 30 }, other]);
    });

    test("counts starts of one issue since a time, and finds moves by which agents failed", async () => {
      const { transitions } = store();
      const move = { ...started, at: 100, repositoryId: 7, issue: 1 };
      await transitions.add(move);
      await transitions.add({ ...move, at: 50 });
      await transitions.add({ ...move, issue: 2 });
      await transitions.add({ ...move, machine: "run" });
      expect(await transitions.starts(7, 1, 50)).toBe(1);
      expect(await transitions.starts(7, 1, 49)).toBe(2);
      await transitions.add({ ...move, event: "FAIL", to: "FAILED", reason: "died" });
      await transitions.add({ ...move, event: "WAIT", to: "SLEEPING", reason: "retry: died" });
      await transitions.add({ ...move, event: "WAIT", to: "SLEEPING", reason: "review: asked" });
      await transitions.add({ ...move, event: "FAIL", to: "FAILED", reason: "old", at: 10 });
      const found = await transitions.failures(50);
      expect(found.map(({ event, reason }) => [event, reason])).toEqual([
        ["FAIL", "died"],
        ["WAIT", "retry: died"],
      ]);
    });
  });
}
