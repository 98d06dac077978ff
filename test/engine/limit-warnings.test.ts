import { expect, test } from "vitest";
import type { HostTool } from "../../src/core/ports/agent-runtime.ts";
import { LimitWarnings } from "../../src/engine/limit-warnings.ts";
import { someSettings } from "../factories/some-settings.ts";

function warnings() {
  const logged: object[] = [];
  const log = { debug() {}, info() {}, error() {}, warn: (fields: object) => logged.push(fields) };
  const limits = { ...someSettings().limits.defaults, maxTurns: 10, warnAt: 0.8 };
  return {
    logged,
    made: new LimitWarnings({ limits, log: { ...log, warn: (f) => void log.warn(f) }, agent: "a" }),
  };
}

const used = { turns: 8, turnsAllowed: 10, toolCalls: 0, toolCallsAllowed: 100, activeMs: 0 };

test("a limit that comes near is logged once and told once", () => {
  const { logged, made } = warnings();
  made.look({ ...used, turns: 7 });
  expect(made.tell("answer")).toBe("answer");
  made.look(used);
  made.look({ ...used, turns: 9 });
  expect(logged).toEqual([{ agent: "a", limit: "max_turns", used: "8 of 10 turns" }]);
  expect(made.tell("answer")).toMatch(/^answer\n\nNote from the host: you have used 8 of 10 turns/);
  expect(made.tell("answer")).toBe("answer");
});

test("the answer of a tool carries it", async () => {
  const { made } = warnings();
  made.look(used);
  const tool: HostTool = {
    name: "t",
    description: "",
    parameters: {},
    terminal: false,
    call: async () => ({ ok: true, text: "done" }),
  };
  const answer = await made.on(tool).call({}, { toolCallId: "1", signal: new AbortController().signal });
  expect(answer).toMatchObject({ ok: true, text: expect.stringContaining("8 of 10 turns") });
});
