import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { withParts } from "../../docs/parts.ts";
import { POINTS } from "./points.ts";
import { brokenBy, type ClusterResult, clusterTable } from "./result.ts";
import { PAUSES_MS, scheduleOf } from "./schedule.ts";

const counts = { kills: 20, pauses: 8, outages: 2, promotions: 1 };
const given = { nodes: 4, points: POINTS };

test("a seed gives the same disturbances each time, as many as asked for", () => {
  const acts = scheduleOf(7, counts, given);
  expect(scheduleOf(7, counts, given)).toEqual(acts);
  expect(scheduleOf(8, counts, given)).not.toEqual(acts);
  const of = (what: string) => acts.filter((act) => act.what === what);
  expect([of("kill").length, of("pause").length, of("outage").length, of("promotion").length]).toEqual([
    20, 8, 2, 1,
  ]);
  expect(acts.every(({ afterMs }) => afterMs >= 2_000 && afterMs < 10_000)).toBe(true);
});

test("every crash point has its turn, every node its kill, and one pause in four outlasts an effect's lease", () => {
  const acts = scheduleOf(1, { ...counts, kills: 200, pauses: 60 }, given);
  const kills = acts.flatMap((act) => (act.what === "kill" ? act : []));
  expect(new Set(kills.flatMap(({ points }) => points))).toEqual(new Set(POINTS));
  expect(new Set(kills.map(({ node }) => node))).toEqual(new Set([0, 1, 2, 3]));
  const pauses = acts.flatMap((act) => (act.what === "pause" ? act.ms : []));
  expect(pauses.filter((ms) => ms === PAUSES_MS.effect)).toHaveLength(15);
});

const held: ClusterResult = {
  seed: 1,
  nodes: 4,
  kills: 200,
  points: ["git:pushed"],
  pauses: 1,
  outages: 0,
  outageSeconds: 60,
  promotions: 0,
  issues: 2,
  acknowledged: 1_234,
  lost: [],
  left: [],
  made: 9,
  twice: [],
  violations: [],
  disorder: [],
  forbidden: [],
  surprises: [],
  seconds: 180,
};

test("a run holds when nothing is lost, left, out of order or broken, and nothing made twice but one request a pause", () => {
  expect(brokenBy(held)).toEqual([]);
  expect(brokenBy({ ...held, twice: ["a"] })).toEqual([]);
  expect(brokenBy({ ...held, twice: ["a", "b"] })).toEqual(['made twice: "a", "b"']);
  const lists = ["lost", "left", "violations", "disorder", "forbidden"] as const;
  for (const list of lists) expect(brokenBy({ ...held, [list]: ["x"] })).toHaveLength(1);
  expect(brokenBy({ ...held, surprises: [{ node: "one", text: "x" }] })).toHaveLength(1);
});

test("the table tells the counts", () => {
  const table = clusterTable(held, "2 cores");
  expect(table).toMatch(/^Run on 2 cores, in 3 min, seed 1\n\n\| \| \|\n/);
  expect(table).toContain("| webhooks acknowledged | 1,234 |");
  expect(withParts(readFileSync("docs/performance.md", "utf8"), { cluster: table })).toContain(table);
});
