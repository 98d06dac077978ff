import { expect, it } from "vitest";
import type { MachineName, TransitionRow } from "../../../src/domain/kernel/rows.ts";
import { lastCommand } from "../../../src/domain/status/last-command.ts";
import { AT } from "../../factories/moment.ts";

const decision = {
  id: 1,
  at: AT,
  repositoryId: 7,
  issue: 42,
  agentId: null,
  rule: "slot",
  reason: "all 10 slots are in use",
  change: null,
  inputs: {},
  delivery: "d-1",
  count: 1,
  lastAt: AT,
} as const;
const refusal = { ...decision, change: "it starts automatically" };

const strangers = { ...decision, rule: "strangers_pull", change: "say `/flotilla cancel`" } as const;

const move = (machine: MachineName, from: string, to: string): TransitionRow => ({
  id: 1,
  at: AT,
  machine,
  recordId: 11,
  agentId: 11,
  repositoryId: 7,
  issue: 42,
  actor: "alice",
  event: "PAUSE",
  from,
  to,
  reason: null,
  evidence: null,
  delivery: "d-1",
});
const paused = move("agent", "ACTIVE", "SLEEPING");

it("is nothing where there was none", () => {
  expect(lastCommand(null)).toEqual([]);
});

it.each([
  ["taken", [], []],
  ["agent ACTIVE → SLEEPING", [strangers], [paused]],
  ["taken", [decision], [move("run", "executing", "paused")]],
  ["refused, all 10 slots are in use — it starts automatically", [decision, refusal], [paused]],
  [
    "agent ACTIVE → SLEEPING, task CLAIMED → UNCLAIMED",
    [decision],
    [paused, move("session", "running", "stopped"), move("task", "CLAIMED", "UNCLAIMED")],
  ],
])("tells who gave it and what came of it: %s, case %#", (outcome, decisions, transitions) => {
  expect(lastCommand({ at: AT, verb: "pause", by: "alice", decisions, transitions })).toEqual([
    `Last command, 2025-12-21 22:40 UTC: \`/flotilla pause\` by alice: ${outcome}.`,
    "",
  ]);
});
