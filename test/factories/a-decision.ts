import type { DecisionRow } from "../../src/domain/kernel/rows.ts";
import { AT } from "./moment.ts";

export function aDecision(overrides: Partial<DecisionRow> = {}): DecisionRow {
  return {
    id: 1,
    at: AT,
    lastAt: AT,
    count: 1,
    repositoryId: 7,
    issue: 42,
    agentId: null,
    rule: "not_permitted",
    reason: "@bob has no write permission",
    change: null,
    inputs: {},
    delivery: "d-1",
    ...overrides,
  };
}
