import { expect, it } from "vitest";
import { explanation, holdLines, whyComment } from "../../../src/core/text/explain.ts";
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

it("says first what holds now and what ends that", () => {
  const hold = {
    by: "sprint",
    what: "its sprint is at CHECKPOINT",
    ends: "`/flotilla continue` on #9",
  } as const;
  const held = holdLines([
    { name: "feat-dev-issue-1", holds: [hold] },
    { name: "feat-dev-issue-2", holds: [] },
  ]);
  const line = "feat-dev-issue-1 is held: its sprint is at CHECKPOINT → `/flotilla continue` on #9";
  expect(held).toEqual([line]);
  expect(whyComment([], AT, held)).toBe(`Held now:\n\n- ${line}`);
  expect(whyComment([decision], AT, held)).toMatch(/^Held now:\n\n- [^]+\n\nDecisions on this issue/);
});
