import { expect, it } from "vitest";
import { compareOutcomes } from "../../../src/domain/replay/differences.ts";
import { counted, NO_OUTCOME, type Outcome } from "../../../src/domain/replay/outcome.ts";

const MOVE = {
  machine: "agent",
  recordId: 3,
  actor: "alice",
  event: "START",
  from: "CREATED",
  to: "ACTIVE",
  reason: null,
};
const DECISION = { rule: "slot", agentId: 3, reason: "all slots are in use", change: "a slot is free" };
const EFFECT = {
  key: "d1:7#1:0:status_comment",
  kind: "status_comment",
  payload: { kind: "status_comment" },
};
const WAKE = { key: "answer:1", agentId: 3, reason: "answer", detail: "light" };
const ONE: Outcome = { transitions: [MOVE], decisions: [DECISION], effects: [EFFECT], wakes: [WAKE] };

it("finds nothing between an outcome and itself, in whatever order, and counts what is the same", () => {
  const two: Outcome = { ...ONE, transitions: [MOVE, { ...MOVE, recordId: 4 }] };
  const turned: Outcome = { ...two, transitions: two.transitions.toReversed() };
  expect(compareOutcomes(two, turned)).toEqual({
    differences: [],
    same: { transitions: 2, decisions: 1, effects: 1, wakes: 1 },
  });
});

it("says both sides of what answers to one another", () => {
  const other: Outcome = {
    transitions: [{ ...MOVE, to: "FAILED", reason: "too late" }],
    decisions: [{ ...DECISION, reason: "all 2 slots are in use", change: null }],
    effects: [{ ...EFFECT, payload: { kind: "status_comment", more: 1 } }],
    wakes: [{ ...WAKE, detail: "dark" }],
  };
  expect(compareOutcomes(ONE, other)).toEqual({
    differences: [
      {
        what: "transition",
        recorded: "agent 3 CREATED → ACTIVE by START of alice",
        again: "agent 3 CREATED → FAILED by START of alice: too late",
      },
      {
        what: "decision",
        recorded: "slot about agent 3: all slots are in use → a slot is free",
        again: "slot about agent 3: all 2 slots are in use",
      },
      {
        what: "effect",
        recorded: 'status_comment {"kind":"status_comment"}',
        again: 'status_comment {"kind":"status_comment","more":1}',
      },
      { what: "wake", recorded: "agent 3 by answer: light", again: "agent 3 by answer: dark" },
    ],
    same: { transitions: 0, decisions: 0, effects: 0, wakes: 0 },
  });
});

it("says one side of what stands alone, and of doubles only the one too many", () => {
  expect(
    compareOutcomes(ONE, { ...NO_OUTCOME, decisions: [{ ...DECISION, agentId: null }] }).differences,
  ).toEqual([
    { what: "transition", recorded: "agent 3 CREATED → ACTIVE by START of alice", again: null },
    { what: "decision", recorded: "slot about agent 3: all slots are in use → a slot is free", again: null },
    { what: "decision", recorded: null, again: "slot: all slots are in use → a slot is free" },
    { what: "effect", recorded: 'status_comment {"kind":"status_comment"}', again: null },
    { what: "wake", recorded: "agent 3 by answer: light", again: null },
  ]);
  expect(compareOutcomes(ONE, { ...ONE, wakes: [WAKE, WAKE] })).toEqual({
    differences: [{ what: "wake", recorded: null, again: "agent 3 by answer: light" }],
    same: { transitions: 1, decisions: 1, effects: 1, wakes: 1 },
  });
});

it("counts outcomes together", () => {
  expect(counted([ONE, ONE, NO_OUTCOME])).toEqual({ transitions: 2, decisions: 2, effects: 2, wakes: 2 });
  expect(counted([])).toEqual({ transitions: 0, decisions: 0, effects: 0, wakes: 0 });
});
