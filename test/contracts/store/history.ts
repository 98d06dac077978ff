import { describe, expect, test } from "vitest";
import type { DecisionRow, TransitionRow } from "../../../src/domain/kernel/rows.ts";
import type { Store } from "../../../src/domain/ports/store.ts";
import { insertAgent, repository } from "../../adapters/store/samples.ts";
import { fresh } from "./fresh.ts";

const transition = (fields: Partial<TransitionRow>): Omit<TransitionRow, "id"> => ({
  at: 10,
  machine: "agent",
  recordId: 1,
  agentId: null,
  repositoryId: repository.id,
  issue: 42,
  actor: "ada",
  event: "START",
  from: "CREATED",
  to: "ACTIVE",
  reason: null,
  evidence: { slots: 1 },
  delivery: "g1",
  ...fields,
});

type NewDecision = Omit<DecisionRow, "id" | "count" | "lastAt">;

const decision = (fields: Partial<NewDecision>): NewDecision => ({
  at: 10,
  repositoryId: repository.id,
  issue: 42,
  agentId: null,
  rule: "slot",
  reason: "all slots are in use",
  change: "a slot becomes free",
  inputs: ["x"],
  delivery: null,
  ...fields,
});

const events = (rows: readonly TransitionRow[]) => rows.map(({ event }) => event);

export function historyContract(open: () => Promise<Store>): void {
  describe("history", () => {
    const store = fresh(open);

    test("keeps every transition, by agent and after an id, oldest first", async () => {
      const { id: agentId } = await insertAgent(store());
      const start = transition({ agentId });
      await store().transitions.add(start);
      await store().transitions.add(transition({ event: "OPEN", machine: "task", evidence: null }));
      await store().transitions.add(transition({ agentId, event: "BLOCKED", reason: "#41" }));
      const ofAgent = await store().transitions.ofAgent(agentId);
      expect(events(ofAgent)).toEqual(["START", "BLOCKED"]);
      expect(ofAgent[0]).toEqual({ ...start, id: ofAgent[0]?.id });
      expect(events(await store().transitions.after(ofAgent[0]?.id ?? 0, 1))).toEqual(["OPEN"]);
      expect((await store().transitions.after(ofAgent[0]?.id ?? 0, 1))[0]?.evidence).toBeNull();
    });

    test("gives the latest transitions of an issue, oldest of them first", async () => {
      for (const event of ["A", "B", "C"]) await store().transitions.add(transition({ event }));
      await store().transitions.add(transition({ event: "other", issue: 43 }));
      await store().transitions.add(transition({ event: "elsewhere", repositoryId: 8 }));
      expect(events(await store().transitions.ofIssue(repository.id, 42, 2))).toEqual(["B", "C"]);
    });

    test("gives a sprint's moves to CHECKPOINT and back, oldest first", async () => {
      const ofSprint = { machine: "sprint", recordId: 3, agentId: null } as const;
      for (const event of ["OPEN", "CHECKPOINT", "CONTINUE", "CHECKPOINT"])
        await store().transitions.add(transition({ ...ofSprint, event }));
      await store().transitions.add(transition({ ...ofSprint, event: "CONTINUE", recordId: 4 }));
      await store().transitions.add(transition({ event: "CONTINUE", recordId: 3 }));
      const found = await store().transitions.ofSprint({ repositoryId: repository.id, id: 3 });
      expect(events(found)).toEqual(["CHECKPOINT", "CONTINUE", "CHECKPOINT"]);
      expect(await store().transitions.ofSprint({ repositoryId: 8, id: 3 })).toEqual([]);
    });

    test("gives the decisions of an issue newest first", async () => {
      const first = decision({});
      await store().decisions.add(first);
      await store().decisions.add(decision({ rule: "held", change: null, inputs: null }));
      await store().decisions.add(decision({ repositoryId: null, issue: null }));
      const rows = await store().decisions.ofIssue(repository.id, 42, 10);
      expect(rows.map(({ rule }) => rule)).toEqual(["held", "slot"]);
      expect(rows[1]).toEqual({ ...first, id: rows[1]?.id, count: 1, lastAt: 10 });
      expect(await store().decisions.ofIssue(repository.id, 42, 1)).toHaveLength(1);
    });

    test("counts a decision that is made again, once a minute at the most", async () => {
      const { decisions } = store();
      for (const at of [0, 59_999, 60_000, 100_000, 120_000]) await decisions.add(decision({ at }));
      const rows = await decisions.ofIssue(repository.id, 42, 10);
      expect(rows).toMatchObject([{ at: 0, count: 3, lastAt: 120_000 }]);
    });

    test("writes a decision again when another came between, or another delivery asked", async () => {
      const { decisions } = store();
      await decisions.add(decision({ delivery: "g1" }));
      await decisions.add(decision({ delivery: "g1" }));
      await decisions.add(decision({ delivery: null }));
      await decisions.add(decision({ delivery: "g2" }));
      await decisions.add(decision({ reason: "one slot is in use" }));
      await decisions.add(decision({}));
      const rows = await decisions.ofIssue(repository.id, 42, 10);
      expect(rows.map(({ delivery }) => delivery)).toEqual([null, null, "g2", "g1"]);
    });

    test("tells the decisions about one agent from those about another", async () => {
      const { decisions } = store();
      const first = await insertAgent(store(), { issue: 42 });
      const second = await insertAgent(store(), { issue: 42, role: "triage" });
      for (const agentId of [first.id, second.id, first.id, second.id, null, null])
        await decisions.add(decision({ agentId }));
      const rows = await decisions.ofIssue(repository.id, 42, 10);
      expect(rows.map(({ agentId }) => agentId)).toEqual([null, second.id, first.id]);
    });
  });

  describe("decisions", () => {
    const store = fresh(open);

    test("about commits of other people come once for each person, the latest person first", async () => {
      const { decisions } = store();
      for (const [id, delivery] of [
        [1, "g1"],
        [2, "g2"],
        [1, "g3"],
        [3, "g4"],
      ] as const)
        await decisions.add(decision({ rule: "foreign_commit", inputs: { id }, delivery }));
      await decisions.add(decision({ rule: "foreign_commit", inputs: { id: 4 }, issue: 43 }));
      await decisions.add(decision({}));
      const found = await decisions.foreignCommits(repository.id, 42, 2);
      expect(found.map(({ inputs }) => inputs)).toEqual([{ id: 3 }, { id: 2 }]);
    });

    test("hold until the task or their agent moves, the newest with a change first", async () => {
      const { decisions, transitions } = store();
      const { id: agentId } = await insertAgent(store());
      await transitions.add(transition({ agentId }));
      await decisions.add(decision({ agentId }));
      await decisions.add(decision({ rule: "held", change: null }));
      expect(await decisions.inForce(repository.id, 42)).toMatchObject({ rule: "slot", agentId });
      await transitions.add(transition({ agentId: null }));
      expect(await decisions.inForce(repository.id, 42)).toMatchObject({ rule: "slot" });
      await transitions.add(transition({ agentId }));
      expect(await decisions.inForce(repository.id, 42)).toBeUndefined();
    });
  });

  describe("repositories", () => {
    const store = fresh(open);

    test("come in the order of their ids", async () => {
      await store().repositories.put({ ...repository, id: 3, name: "shuttle" });
      expect((await store().repositories.all()).map(({ id }) => id)).toEqual([3, repository.id]);
    });

    test("keep their id through a rename", async () => {
      const renamed = { ...repository, owner: "Acme", name: "Shuttle", private: false };
      await store().repositories.put(renamed);
      expect(await store().repositories.get(repository.id)).toEqual(renamed);
      expect(await store().repositories.byName("ACME", "SHUTTLE")).toEqual(renamed);
      expect(await store().repositories.byName("acme", "rocket")).toBeUndefined();
      expect(await store().repositories.get(99)).toBeUndefined();
    });

    test("of one name are the one heard of last", async () => {
      const successor = { ...repository, id: 6 };
      await store().repositories.put(successor);
      expect((await store().repositories.byName("acme", "rocket"))?.id).toBe(6);
      await store().repositories.put(repository);
      expect((await store().repositories.byName("acme", "rocket"))?.id).toBe(repository.id);
    });

    test("are found by the installation that they were heard of under last", async () => {
      const { repositories } = store();
      const { installationId } = repository;
      const moved = { ...repository, id: 8, name: "moved", installationId };
      const other = { ...repository, id: 9, name: "other", installationId };
      for (const one of [repository, moved, other]) await repositories.put(one);
      await repositories.put({ ...moved, installationId: 99 });
      expect(await repositories.ofInstallation(installationId)).toEqual([repository, other]);
      expect((await repositories.ofInstallation(99)).map(({ id }) => id)).toEqual([8]);
      expect(await repositories.ofInstallation(100)).toEqual([]);
    });
  });
}
