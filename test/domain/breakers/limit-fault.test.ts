import { expect, it } from "vitest";
import { limitFault } from "../../../src/domain/breakers/limit-fault.ts";
import { anAgent } from "../../factories/records.ts";

const atTurnLimit = { state: "SLEEPING", sleepReason: "approval", breaker: "max_turns", turns: 50 } as const;
const spent = { state: "ESCALATED", breaker: "max_tokens", extensions: 2 } as const;

it("is the turn limit for one that waits for a number of turns", () => {
  expect(limitFault(anAgent(atTurnLimit))).toEqual({ code: "turn_limit_exceeded", turns: 50 });
});

it("is the limit for one whose limit was raised by half twice", () => {
  expect(limitFault(anAgent(spent))).toEqual({ code: "budget_exceeded", breaker: "max_tokens" });
});

it.each([
  ["one that is held besides", { ...atTurnLimit, heldBy: ["person" as const] }],
  ["one that is held and spent", { ...spent, heldBy: ["person" as const] }],
  ["one that waits for another approval", { ...atTurnLimit, breaker: null }],
  ["a limit of another kind", { ...atTurnLimit, breaker: "max_tokens" }],
  ["one that waits for something else", { ...atTurnLimit, sleepReason: "blocked" as const }],
  ["one whose limit may be raised by half once more", { ...spent, extensions: 1 }],
  ["one that asks for itself", { ...spent, breaker: null }],
  ["one that has ended by it", { ...spent, state: "FAILED" as const }],
  ["one at work", { ...atTurnLimit, state: "ACTIVE" as const }],
])("is none for %s", (_, fields) => {
  expect(limitFault(anAgent(fields))).toBeNull();
});
