import { expect, it } from "vitest";
import { explanation, whyComment } from "../../../src/core/text/explain.ts";
import { AT, HOUR, MINUTE } from "../../factories/moment.ts";

const decision = {
  id: 1,
  at: AT - HOUR,
  repositoryId: 7,
  issue: 42,
  agentId: null,
  rule: "slot",
  reason: "all 10 slots\nare in use",
  change: "it starts by itself",
  inputs: {},
  delivery: null,
  count: 3,
  lastAt: AT - MINUTE,
} as const;

it("tells when, how often, why, by which rule, and what would change it", () => {
  expect(explanation([decision, { ...decision, count: 1, change: null }], AT)).toEqual([
    "1 min ago, 3 times: no slot free, all 10 slots are in use (slot) → it starts by itself",
    "1 min ago: no slot free, all 10 slots are in use (slot) → it starts by itself when a slot is free",
  ]);
});

it("is a list for people, or says that there is nothing", () => {
  expect(whyComment([decision], AT)).toBe(
    "Decisions on this issue, the latest first:\n\n- 1 min ago, 3 times: no slot free, all 10 slots are in use (slot) → it starts by itself",
  );
  expect(whyComment([], AT)).toContain("Nothing was held back");
});
