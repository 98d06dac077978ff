import { expect, it } from "vitest";
import type { Refusal } from "../../../src/domain/kernel/state-machine.ts";
import { wouldChange } from "../../../src/domain/kernel/would-change.ts";

const refusal: Refusal = {
  ok: false,
  code: "guard_refused",
  machine: "agent",
  state: "SLEEPING",
  event: "WAKE",
  rule: "slot",
  reason: "all slots are in use",
  keeps: false,
};

it.each([
  [{ rule: "slot" }, "when a slot is free"],
  [{ rule: "held" }, "/flotilla resume"],
  [{ rule: "no_such_transition", code: "no_such_transition" }, "nothing while the agent is SLEEPING"],
] as const)("%j has a word of what would change it", (fields, word) => {
  expect(wouldChange({ ...refusal, ...fields })).toContain(word);
});
