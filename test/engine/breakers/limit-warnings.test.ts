import { expect, test } from "vitest";
import { allowanceOf } from "../../../src/domain/breakers/allowance.ts";
import { LimitWarnings } from "../../../src/engine/breakers/limit-warnings.ts";
import { anAgent } from "../../factories/records.ts";
import { LIMITS } from "../../factories/some-settings.ts";

function warnings(options: { warned?: readonly string[]; extraTurns?: number } = {}) {
  const logged: object[] = [];
  const remembered: (readonly string[])[] = [];
  const agent = anAgent({ extraTurns: options.extraTurns ?? 0 });
  const made = new LimitWarnings(options.warned ?? [], {
    allowance: allowanceOf({ ...LIMITS, maxTurns: 10 }, agent),
    warnAt: 0.8,
    log: { debug() {}, info() {}, error() {}, warn: (fields) => void logged.push(fields) },
    agent: "a",
    remember: (warned) => void remembered.push(warned),
  });
  return { logged, remembered, made };
}

const used = { turns: 8, toolCalls: 0, tokens: 0, costMicroUsd: 0, wakes: 0, activeMs: 0 };

test("a limit that comes near is logged once and told once", () => {
  const { logged, remembered, made } = warnings();
  made.check({ ...used, turns: 7 });
  expect(made.tell("answer")).toBe("answer");
  made.check(used);
  made.check({ ...used, turns: 9 });
  expect(logged).toEqual([{ agent: "a", limit: "max_turns", used: "8 of 10 turns" }]);
  expect(remembered).toEqual([["max_turns:10"]]);
  expect(made.tell("answer")).toMatch(/^answer\n\nNote from the host: you have used 8 of 10 turns/);
  expect(made.tell("answer")).toBe("answer");
});

test("a later period does not warn again, until a person has raised the limit", () => {
  const later = warnings({ warned: ["max_turns:10"] });
  later.made.check({ ...used, turns: 10 });
  expect(later.logged).toEqual([]);
  const raised = warnings({ warned: ["max_turns:10"], extraTurns: 10 });
  raised.made.check({ ...used, turns: 16 });
  expect(raised.remembered).toEqual([["max_turns:10", "max_turns:20"]]);
});

test("what is told with one thing is not told with another", () => {
  const { made } = warnings();
  made.check(used);
  expect(made.takeWarning()).toContain("8 of 10 turns");
  expect(made.takeWarning()).toBeNull();
  expect(made.tell("answer")).toBe("answer");
});
