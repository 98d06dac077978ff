import { describe, expect, test } from "vitest";
import type { Store } from "../../../src/domain/ports/store.ts";
import { insertAgent } from "../../adapters/store/samples.ts";
import { fresh } from "./fresh.ts";

const call = {
  token: 1,
  kind: "network",
  detail: "curl",
  tool: "bash",
  input: '{"command":"curl x"}',
  hash: "abc",
  createdAt: 10,
} as const;

export function approvalContract(open: () => Promise<Store>): void {
  describe("calls that people are asked about", () => {
    const store = fresh(open);

    test("are asked about once in a period, and again in the next", async () => {
      const { id: agentId } = await insertAgent(store());
      const { approvals } = store();
      expect(await approvals.ask({ ...call, agentId })).toBe(true);
      expect(await approvals.ask({ ...call, agentId })).toBe(false);
      expect(await approvals.ask({ ...call, agentId, hash: "def" })).toBe(true);
      expect(await approvals.ask({ ...call, agentId, token: 2 })).toBe(true);
      const asked = await approvals.asked(agentId, 1);
      expect(asked.map(({ hash }) => hash)).toEqual(["abc", "def"]);
      expect(asked[0]).toEqual({
        ...call,
        agentId,
        id: asked[0]?.id,
        state: "asked",
        decidedBy: null,
        reason: null,
        decidedAt: null,
      });
    });

    test("are answered once, and a granted one passes once and for its own agent only", async () => {
      const { id: agentId } = await insertAgent(store());
      const other = await insertAgent(store(), { issue: 43 });
      const { approvals } = store();
      await approvals.ask({ ...call, agentId });
      expect(await approvals.use(agentId, "abc")).toBe(false);
      const [row] = await approvals.asked(agentId, 1);
      const granted = { id: row?.id ?? 0, state: "granted", by: "alice", reason: null } as const;
      expect(await approvals.decide(granted, 20)).toBe(true);
      expect(await approvals.decide({ ...granted, state: "denied" }, 21)).toBe(false);
      expect(await approvals.asked(agentId, 1)).toEqual([]);
      expect(await approvals.use(other.id, "abc")).toBe(false);
      expect(await approvals.use(agentId, "def")).toBe(false);
      expect(await approvals.use(agentId, "abc")).toBe(true);
      expect(await approvals.use(agentId, "abc")).toBe(false);
      expect(await approvals.latest(agentId, "abc")).toMatchObject({
        state: "used",
        decidedBy: "alice",
        decidedAt: 20,
      });
    });

    test("are taken back only while they are granted and not used", async () => {
      const { id: agentId } = await insertAgent(store());
      const { approvals } = store();
      await approvals.ask({ ...call, agentId });
      const [row] = await approvals.asked(agentId, 1);
      const id = row?.id ?? 0;
      const back = { by: "bob", reason: "no", at: 30 };
      expect(await approvals.takeBack(id, back)).toBe(false);
      await approvals.decide({ id, state: "granted", by: "alice", reason: null }, 20);
      expect(await approvals.takeBack(id, back)).toBe(true);
      expect(await approvals.get(id)).toMatchObject({ state: "denied", decidedBy: "bob", decidedAt: 30 });
      expect(await approvals.takeBack(id, back)).toBe(false);
      expect(await approvals.use(agentId, "abc")).toBe(false);
    });

    test("are closed when their agent has ended, in every period, and no others", async () => {
      const { id: agentId } = await insertAgent(store());
      const other = await insertAgent(store(), { issue: 43 });
      const { approvals } = store();
      await approvals.ask({ ...call, agentId });
      const [granted] = await approvals.asked(agentId, 1);
      await approvals.decide({ id: granted?.id ?? 0, state: "granted", by: "alice", reason: null }, 20);
      await approvals.ask({ ...call, agentId, hash: "def" });
      await approvals.ask({ ...call, agentId, hash: "ghi", token: 2 });
      await approvals.ask({ ...call, agentId: other.id });
      await approvals.close(agentId, { by: "flotilla", reason: "it ended", at: 30 });
      expect(await approvals.get(granted?.id ?? 0)).toMatchObject({ state: "granted", decidedBy: "alice" });
      for (const hash of ["def", "ghi"])
        expect(await approvals.latest(agentId, hash)).toMatchObject({
          state: "denied",
          decidedBy: "flotilla",
          reason: "it ended",
          decidedAt: 30,
        });
      expect(await approvals.asked(other.id, 1)).toHaveLength(1);
    });

    test("tell what was said last in a period", async () => {
      const { id: agentId } = await insertAgent(store());
      const { approvals } = store();
      for (const hash of ["a", "b", "c"]) await approvals.ask({ ...call, agentId, hash });
      expect(await approvals.decided(agentId, 1)).toBeUndefined();
      const [a, b] = await approvals.asked(agentId, 1);
      await approvals.decide({ id: b?.id ?? 0, state: "granted", by: "alice", reason: null }, 20);
      await approvals.decide({ id: a?.id ?? 0, state: "denied", by: "bob", reason: "no" }, 30);
      expect(await approvals.decided(agentId, 1)).toMatchObject({ hash: "a", reason: "no" });
      expect(await approvals.decided(agentId, 2)).toBeUndefined();
      expect(await approvals.latest(agentId, "z")).toBeUndefined();
    });

    test("of a kind that stays granted are found again: the last plan, and the commits that were held", async () => {
      const { id: agentId } = await insertAgent(store());
      const { approvals } = store();
      for (const [kind, hash] of [
        ["plan", "p1"],
        ["plan", "p2"],
        ["held_commit", "c1"],
        ["held_commit", "c2"],
      ] as const)
        await approvals.ask({ ...call, agentId, kind, hash });
      const asked = await approvals.asked(agentId, 1);
      for (const { id, hash } of asked)
        if (hash !== "c2") await approvals.decide({ id, state: "granted", by: "ada", reason: null }, 20);
      expect(await approvals.get(asked[0]?.id ?? 0)).toMatchObject({ hash: "p1", decidedBy: "ada" });
      expect(await approvals.get(99)).toBeUndefined();
      expect(await approvals.plan(agentId)).toMatchObject({ hash: "p2" });
      expect((await approvals.held(agentId)).map(({ hash }) => hash)).toEqual(["c1"]);
    });
  });
}
