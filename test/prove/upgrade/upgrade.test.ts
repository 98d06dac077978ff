import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { withParts } from "../../docs/parts.ts";
import { brokenBy, type Replacement, type UpgradeResult, upgradeTable } from "./result.ts";

const upgraded: Replacement = {
  node: "node-1",
  way: "upgrade",
  agents: 2,
  drainMs: null,
  said: "",
  stopMs: 1_240,
  brokenOff: 1,
  rests: ["restart: the host stopped"],
};
const back: Replacement = {
  ...upgraded,
  way: "back",
  drainMs: 18_500,
  said: "node-1 is drained: stop it now. Its agents continue on node-2. `flotilla drain --undo` lets it …",
  brokenOff: 0,
  rests: ["restart: its machine is being drained"],
};
const held: UpgradeResult = {
  seed: 1,
  nodes: 3,
  replacements: [upgraded, back, { ...back, drainMs: 4_000, stopMs: 2_060 }],
  gapMs: 0,
  refused: 2,
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
  seconds: 600,
};

test("an upgrade holds when nothing is lost, left, doubled or out of order, and a drain cuts no turn off", () => {
  expect(brokenBy(held)).toEqual([]);
  for (const list of ["lost", "left", "twice", "violations", "disorder", "forbidden"] as const)
    expect(brokenBy({ ...held, [list]: ["x"] })).toHaveLength(1);
  expect(brokenBy({ ...held, gapMs: 300 })).toEqual([
    "without a process that is ready for webhooks, in ms: 300",
  ]);
});

test.each<[string, Replacement, string]>([
  ["breaks a call of the model off", { ...back, brokenOff: 1 }, "cut off in a turn by a drain"],
  ["leaves an agent to the stop", { ...back, rests: ["restart: the host stopped"] }, "cut off in a turn"],
  [
    "does not end",
    { ...back, said: "node-1 is being drained, but 1 agent is still in a turn." },
    "not drained",
  ],
  ["is followed by a slow end", { ...back, stopMs: 20_001 }, "not ended within the grace time"],
])("an upgrade does not hold when a drain %s", (_, replacement, says) => {
  expect(brokenBy({ ...held, replacements: [replacement] })).toEqual([expect.stringContaining(says)]);
});

test("the table tells the counts", () => {
  const table = upgradeTable(held, "2 cores");
  expect(table).toMatch(/^Run on 2 cores, in 10 min, seed 1\n\n\| \| \|\n/);
  expect(table).toContain("| longest drain, in seconds | 18.5 |");
  expect(table).toContain("| agents at work on these processes when that began | 6 |");
  expect(table).toContain("| webhooks acknowledged | 1,234 |");
  expect(withParts(readFileSync("docs/performance.md", "utf8"), { upgrade: table })).toContain(table);
});
