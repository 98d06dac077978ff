import { expect, it } from "vitest";
import { explanation, statusLines, whyComment } from "../../../src/domain/status/explain.ts";
import { AT, HOUR, MINUTE } from "../../factories/moment.ts";
import { anAgent } from "../../factories/records.ts";

const decision = {
  id: 1,
  at: AT - HOUR,
  repositoryId: 7,
  issue: 42,
  agentId: null,
  rule: "slot",
  reason: "all 10 slots\nare in use",
  change: "it starts automatically",
  inputs: {},
  delivery: null,
  count: 3,
  lastAt: AT - MINUTE,
} as const;

it("tells when, how often, why, by which rule, and what would change it", () => {
  expect(explanation([decision, { ...decision, count: 1, change: null }], AT)).toEqual([
    "1 min ago, 3 times: no slot free, all 10 slots are in use (slot) → it starts automatically",
    "1 min ago: no slot free, all 10 slots are in use (slot) → it starts automatically when a slot is free",
  ]);
});

it("is a list for people, or says that there is nothing", () => {
  expect(whyComment([decision], AT)).toBe(
    "Decisions on this issue, the latest first:\n\n- 1 min ago, 3 times: no slot free, all 10 slots are in use (slot) → it starts automatically",
  );
  expect(whyComment([], AT)).toContain("nothing was held back");
});

it("says first where each agent status that lives, or else the newest", () => {
  const [old, young] = [
    anAgent({ state: "FAILED" }),
    anAgent({ state: "SLEEPING", name: "feat-dev-issue-42.2" }),
  ];
  const status = { now: "waits\nfor #7", next: "it wakes when that is closed" };
  const line = "feat-dev-issue-42.2 is SLEEPING: waits for #7 → it wakes when that is closed";
  expect(
    statusLines([
      { agent: old, status },
      { agent: young, status },
    ]),
  ).toEqual([line]);
  expect(statusLines([{ agent: old, status }])).toEqual([
    "feat-dev-issue-42 is FAILED: waits for #7 → it wakes when that is closed",
  ]);
  expect(whyComment([], AT, [line])).toBe(`Now:\n\n- ${line}`);
  expect(whyComment([decision], AT, [line])).toMatch(/^Now:\n\n- [^]+\n\nDecisions on this issue/);
});
