import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { microUsd } from "../../../src/domain/breakers/money.ts";
import { DayLedger } from "../../../src/engine/breakers/day-ledger.ts";
import { AT, HOUR } from "../../factories/moment.ts";
import { someSettings } from "../../factories/some-settings.ts";

const DAY = 24 * HOUR;
const nothing = {
  spentSince: async () => 0,
  spent: async () => 0,
  startedSince: async () => 0,
  grant: async () => {},
  granted: async () => ({ costMicroUsd: 0, agents: 0 }),
};

const NO_REPOSITORIES = {
  put: async () => {},
  get: async () => undefined,
  byName: async () => undefined,
  ofInstallation: async () => [],
  all: async () => [],
};

/** Tables with this much spent on each day, in micro-dollars. */
const spentInRows = (spent: number) => ({
  budget: { ...nothing, spent: async () => spent },
  repositories: NO_REPOSITORIES,
});

function ledgerOf(maxCostUsd: number | undefined): DayLedger {
  const settings = someSettings({ repositoryPerDay: { maxCostUsd, maxAgents: 50 } });
  return new DayLedger(() => settings);
}

const call = (agentId: number, costMicroUsd = 100, at = AT) => ({
  agentId,
  repositoryId: 7,
  costMicroUsd,
  at,
});

describe("a repository's day", () => {
  it("lets calls begin while what is spent and what others reserve is below the limit", () => {
    const ledger = ledgerOf(0.0003);
    expect([1, 2, 3, 4].map((agent) => ledger.begin(call(agent)))).toEqual([true, true, true, false]);
    ledger.end(2);
    expect(ledger.begin(call(4))).toBe(true);
    expect(ledger.begin(call(5))).toBe(false);
  });

  it("counts what other processes spend once it has read again, and forgets nothing of its own", async () => {
    const ledger = ledgerOf(0.0003);
    await ledger.load(spentInRows(0), 7, AT);
    ledger.spend(7, 100, AT);
    await ledger.refresh(spentInRows(250), AT);
    expect(ledger.use(7, AT)).toMatchObject({ spent: 250 });
    // What this process has spent may not be written yet.
    await ledger.refresh(spentInRows(200), AT);
    expect(ledger.use(7, AT)).toMatchObject({ spent: 250 });
    await ledger.refresh(spentInRows(250), AT + DAY);
    expect(ledger.use(7, AT + DAY)).toMatchObject({ spent: 0 });
  });

  it("does not count an agent's own call against its next one", () => {
    const ledger = ledgerOf(0.0001);
    expect([1, 1, 1].map((agent) => ledger.begin(call(agent)))).toEqual([true, true, true]);
  });

  it("is spent at the limit and not before", () => {
    const ledger = ledgerOf(0.0001);
    ledger.spend(7, 99, AT);
    expect(ledger.begin(call(1))).toBe(true);
    ledger.end(1);
    ledger.spend(7, 1, AT);
    expect(ledger.begin(call(1))).toBe(false);
  });

  it("begins again when the day turns, UTC", () => {
    const ledger = ledgerOf(0.0001);
    ledger.spend(7, 100, AT);
    const midnight = Math.ceil(AT / DAY) * DAY;
    expect(ledger.begin(call(1, 100, midnight - 1))).toBe(false);
    expect(ledger.begin(call(1, 100, midnight))).toBe(true);
    expect(ledger.use(7, midnight)).toEqual({ spent: 0, allowed: 100 });
  });

  it("continues from what an earlier life of the day spent and was granted", async () => {
    const ledger = ledgerOf(0.0001);
    const days: number[] = [];
    const budget = {
      ...nothing,
      spent: async (_: number, day: number) => {
        days.push(day);
        return 140;
      },
      granted: async () => ({ costMicroUsd: 50, agents: 0 }),
    };
    await ledger.load({ budget, repositories: NO_REPOSITORIES }, 7, AT);
    await ledger.load({ budget, repositories: NO_REPOSITORIES }, 7, AT);
    expect(days).toEqual([Math.floor(AT / DAY)]);
    expect(ledger.use(7, AT)).toEqual({ spent: 140, allowed: 150 });
  });

  it("is raised by a person for this day alone", () => {
    const ledger = ledgerOf(0.0001);
    ledger.spend(7, 100, AT);
    ledger.raise(7, 1, AT);
    expect(ledger.begin(call(1))).toBe(true);
    ledger.raise(7, 1000, AT - DAY);
    expect(ledger.use(7, AT).allowed).toBe(101);
    expect(ledger.use(7, AT + DAY).allowed).toBe(100);
  });

  it("keeps repositories apart", () => {
    const ledger = ledgerOf(0.0001);
    ledger.spend(7, 100, AT);
    expect(ledger.begin({ ...call(1), repositoryId: 8 })).toBe(true);
    expect(ledger.begin({ ...call(2), repositoryId: 8 })).toBe(false);
  });

  it("says once a day that it comes near its limit, and again when that was raised", () => {
    const ledger = ledgerOf(0.0001);
    expect([79, 1, 1].map((cost) => ledger.spend(7, cost, AT))).toEqual([false, true, false]);
    ledger.raise(7, 100, AT);
    expect([77, 1].map((cost) => ledger.spend(7, cost, AT))).toEqual([false, false]);
    expect(ledger.spend(7, 1, AT)).toBe(true);
    expect(ledgerOf(undefined).spend(7, 1e9, AT)).toBe(false);
  });
});

it("spends at most one call more than is allowed, whatever the order of events", () => {
  const step = fc.record({
    agent: fc.integer({ min: 1, max: 10 }),
    act: fc.constantFrom("begin", "finish", "finish", "give up", "raise"),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2000 }),
      fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 10, maxLength: 10 }),
      fc.array(step, { maxLength: 120 }),
      (cap, dearest, steps) => {
        const ledger = ledgerOf(cap / 1_000_000);
        const under = new Map<number, number>();
        let spent = 0;
        let allowed = microUsd(cap / 1_000_000);
        const wrong: string[] = [];
        for (const { agent, act, share } of steps) {
          const most = dearest[agent - 1] ?? 0;
          const reserved = [...under].reduce((sum, [id, cost]) => (id === agent ? sum : sum + cost), 0);
          if (act === "begin") {
            // Fires at its limit and not before.
            const begins = ledger.begin(call(agent, most));
            if (begins !== spent + reserved < allowed) wrong.push(`${spent} + ${reserved} of ${allowed}`);
            if (spent + reserved < allowed) under.set(agent, most);
            else under.delete(agent);
          } else if (act === "raise") {
            allowed += 10;
            ledger.raise(7, 10, AT);
          } else if (under.has(agent)) {
            const cost = act === "finish" ? Math.round(most * share) : 0;
            spent += cost;
            ledger.spend(7, cost, AT);
            ledger.end(agent);
            under.delete(agent);
          }
          if (spent > allowed + Math.max(...dearest)) wrong.push(`${spent} of ${allowed}`);
        }
        expect(wrong).toEqual([]);
      },
    ),
    { numRuns: 500 },
  );
});
