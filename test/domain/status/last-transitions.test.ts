import { expect, it } from "vitest";
import type { TransitionRow } from "../../../src/domain/kernel/rows.ts";
import { lastTransitions } from "../../../src/domain/status/last-transitions.ts";
import { AT } from "../../factories/moment.ts";

const move: TransitionRow = {
  id: 1,
  at: AT,
  machine: "agent",
  recordId: 11,
  agentId: 11,
  repositoryId: 7,
  issue: 42,
  actor: "flotilla",
  event: "WAIT",
  from: "ACTIVE",
  to: "SLEEPING",
  reason: null,
  evidence: null,
  delivery: null,
};

it("is nothing where nothing has moved", () => {
  expect(lastTransitions([])).toEqual([]);
});
