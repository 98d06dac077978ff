import { expect, it } from "vitest";
import type { WakeReason } from "../../../src/domain/agents/agent-record.ts";
import { creationLimit, isRepeatedWake, stormLimits } from "../../../src/domain/breakers/storm.ts";

const limits = stormLimits.schema.parse({});

it.each([
  [{ starts: 5, depth: 0, siblings: 0 }, null],
  [{ starts: 6, depth: 0, siblings: 0 }, "max_starts_per_issue_per_hour"],
  [{ starts: 0, depth: 2, siblings: 2 }, null],
  [{ starts: 0, depth: 3, siblings: 0 }, "max_depth"],
  [{ starts: 0, depth: 1, siblings: 3 }, "max_fan_out"],
  [{ starts: 0, depth: 0, siblings: 9 }, null],
])("with %j a new agent meets %s", (facts, limit) => {
  const text = creationLimit(facts, limits);
  expect(limit === null ? text : text?.includes(limit)).toBe(limit === null ? null : true);
});

const wake = (detail: string, reason: WakeReason = "blocker") => ({ reason, detail });
const two = [wake("#2 is closed"), wake("#2 is closed")];

it.each([
  ["the third time for the same", { pending: [wake("#2 is closed")], delivered: two }, true],
  ["the second time", { pending: [wake("#2 is closed")], delivered: two.slice(1) }, false],
  ["for another blocker", { pending: [wake("#3 is closed")], delivered: two }, false],
  ["with news besides", { pending: [...two, wake("hello", "message")], delivered: two }, false],
  ["for nothing", { pending: [], delivered: two }, false],
  [
    "by a person",
    {
      pending: [wake("go", "answer")],
      delivered: [wake("go", "answer"), wake("go", "answer")],
    },
    false,
  ],
  [
    "for another reason in the same words",
    { pending: [wake("x", "checks")], delivered: [wake("x", "time"), wake("x", "checks")] },
    false,
  ],
] as const)("woken %s", (_, facts, inVain) => {
  expect(isRepeatedWake(facts)).toBe(inVain);
});
