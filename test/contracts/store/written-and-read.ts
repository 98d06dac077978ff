import { describe, expect, test } from "vitest";
import type { AgentRecord } from "../../../src/domain/agents/agent-record.ts";
import type { Store, Tables, Where } from "../../../src/domain/ports/store.ts";
import { agent, effect, repository, run, started } from "../../adapters/store/samples.ts";
import { randomOf } from "../../random.ts";
import { fresh } from "./fresh.ts";

const [ISSUES, ROLES, STATES] = [
  [1, 2],
  ["feat-dev", "reviewer"],
  ["COMPLETED", "CANCELLED"],
] as const;

const CONDITIONS: readonly Where<AgentRecord>[] = [
  { repositoryId: repository.id, issue: 1 },
  { repositoryId: repository.id, issue: [1, 2], state: STATES },
  { repositoryId: repository.id, role: "reviewer" },
  { repositoryId: repository.id, state: "CANCELLED", parentAgentId: null },
  { branch: "flotilla/1" },
  { createdAt: { below: 1005 } },
];

/** What a transaction reads of its own writes, however often it has read before. */
export function writtenAndReadContract(open: () => Promise<Store>): void {
  describe("a transaction that writes and reads", () => {
    const store = fresh(open);

    test("finds the records as it has left them, whatever it found before", async () => {
      for (let seed = 1; seed <= 20; seed += 1) {
        await store().transaction(async (tables) => {
          const random = randomOf(seed);
          const known = new Map((await tables.records.find("agent", {})).map((one) => [one.id, one]));
          for (let nth = 0; nth < 20; nth += 1) {
            const written = await writeOne(tables, [...known.values()], `${seed}-${nth}`, random);
            known.set(written.id, written);
            expect(await tables.records.get("agent", written.id)).toEqual(written);
            for (const where of CONDITIONS)
              expect(await tables.records.find("agent", where)).toEqual(
                [...known.values()].filter((one) => holds(where, one)),
              );
          }
        });
        expect(await store().records.find("agent", { repositoryId: repository.id })).toHaveLength(
          (await store().records.ids("agent", {})).length,
        );
      }
    });

    test("counts for a record that it has read", async () => {
      await store().transaction(async ({ records }) => {
        const { id } = await records.insert("agent", agent());
        expect(await records.find("agent", { issue: 42 })).toMatchObject([{ turns: 0 }]);
        await records.count(id, "turns", 3);
        expect(await records.get("agent", id)).toMatchObject({ turns: 3 });
        expect(await records.find("agent", { issue: 42 })).toMatchObject([{ turns: 3 }]);
      });
    });

    test("finds the runs of an agent that it made, and of one that was there", async () => {
      const { id: agentId } = await store().records.insert("agent", agent());
      const { id: earlier } = await store().records.insert("run", run({ agentId }));
      await store().transaction(async ({ records }) => {
        const made = await records.insert("agent", agent({ issue: 43 }));
        expect(await records.find("run", { agentId: made.id })).toEqual([]);
        const { id } = await records.insert("run", run({ agentId: made.id, issue: 43 }));
        expect(await records.find("run", { agentId: made.id })).toMatchObject([{ id }]);
        expect(await records.find("run", { agentId })).toMatchObject([{ id: earlier }]);
      });
    });

    test("reads a repository and its pauses as it has left them", async () => {
      await store().transaction(async ({ repositories, scopePauses }) => {
        expect(await repositories.get(repository.id)).toMatchObject({ name: "rocket" });
        await repositories.put({ ...repository, name: "comet" });
        expect(await repositories.get(repository.id)).toMatchObject({ name: "comet" });
        expect(await scopePauses.over(repository.id)).toEqual([]);
        await scopePauses.add({ scope: "all", holder: "person", by: "ana", reason: null, since: 1 });
        expect(await scopePauses.over(repository.id)).toMatchObject([{ by: "ana" }]);
        await scopePauses.lift("all", "person");
        expect(await scopePauses.over(repository.id)).toEqual([]);
      });
    });

    test("reads the transitions and events that it has added, in their order", async () => {
      const { id } = await store().records.insert("agent", agent());
      await store().transaction(async ({ transitions, runEvents, budget, records }) => {
        await transitions.add(startOf(id, 1));
        await transitions.add(startOf(id, 2), startOf(id, 3));
        expect((await transitions.ofAgent(id)).map(({ at }) => at)).toEqual([1, 2, 3]);
        await transitions.add(startOf(id, 4));
        expect(await budget.startedSince(repository.id, 0)).toBe(4);
        await runEvents.add(said(id, 1));
        await records.count(id, "turns", 1);
        await runEvents.add(said(id, 2));
        const events = await runEvents.after(0, { limit: 10, agentId: id });
        expect(events.map(({ at, turn }) => [at, turn])).toEqual([
          [1, 0],
          [2, 1],
        ]);
        await transitions.add(startOf(id, 5));
        await runEvents.add(said(id, 3));
      });
      expect((await store().transitions.ofAgent(id)).map(({ at }) => at)).toEqual([1, 2, 3, 4, 5]);
      expect(await store().runEvents.after(0, { limit: 10, agentId: id })).toHaveLength(3);
    });

    test("ends a decision by the transitions added after it alone", async () => {
      const { id } = await store().records.insert("agent", agent());
      await store().transaction(async ({ transitions, decisions }) => {
        await transitions.add(startOf(id, 1));
        await decisions.add({ ...REFUSED, agentId: id });
      });
      expect(await store().decisions.inForce(repository.id, 42)).toMatchObject({ rule: "slot" });
      await store().transaction(({ transitions }) => transitions.add(startOf(id, 2)));
      expect(await store().decisions.inForce(repository.id, 42)).toBeUndefined();
    });

    test("gives the id of the effect that it has added instead of a second one that stands for it", async () => {
      await store().transaction(async ({ effects }) => {
        const comment = { lane: "issue:7#42", payload: { kind: "status_comment" } } as const;
        const [first] = await effects.add([effect({ key: "a", ...comment })]);
        expect(await effects.add([effect({ key: "b", ...comment })])).toEqual([first]);
        const [other] = await effects.add([effect({ key: "c", ...comment, lane: "issue:7#43" })]);
        expect(other).not.toBe(first);
      });
      expect(await store().effects.find({ kind: "status_comment" })).toHaveLength(2);
    });
  });
}

/** Inserts a record, or saves one of the known ones with other fields. */
async function writeOne(
  { records }: Tables,
  known: readonly AgentRecord[],
  name: string,
  random: () => number,
): Promise<AgentRecord> {
  const pick = <T>(all: readonly T[]): T | undefined => all[Math.floor(random() * all.length)];
  const fields = {
    issue: pick(ISSUES) ?? 1,
    role: pick(ROLES) ?? "feat-dev",
    branch: pick(["flotilla/1", "flotilla/2", null]) ?? null,
  };
  const state = pick(STATES) ?? "CANCELLED";
  const before = random() < 0.5 ? pick(known) : undefined;
  if (before !== undefined) return records.save("agent", before, { ...before, ...fields, state });
  const createdAt = 1000 + Math.floor(random() * 10);
  return records.insert("agent", agent({ ...fields, name, createdAt, state, endedAt: 2000 }));
}

/** Judges a condition as the port describes it. */
function holds(where: Where<AgentRecord>, record: AgentRecord): boolean {
  return Object.entries(where).every(([field, wanted]: [string, unknown]) => {
    const value: unknown = Reflect.get(record, field);
    if (Array.isArray(wanted)) return wanted.includes(value);
    if (typeof wanted === "object" && wanted !== null)
      return Number(value) < Number(Reflect.get(wanted, "below"));
    return value === wanted;
  });
}

const startOf = (agentId: number, at: number) => ({
  ...started,
  at,
  recordId: agentId,
  agentId,
  repositoryId: repository.id,
  issue: 42,
});

const said = (agentId: number, at: number) => ({
  at,
  agentId,
  repositoryId: repository.id,
  issue: 42,
  event: { type: "stream:token", data: { text: "word" } } as const,
});

const REFUSED = {
  at: 1,
  repositoryId: repository.id,
  issue: 42,
  rule: "slot",
  reason: "all slots are in use",
  change: "a slot becomes free",
  inputs: {},
  delivery: null,
} as const;
