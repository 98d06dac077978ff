import { expect, it } from "vitest";
import { runningCommandText } from "../../../src/domain/evidence/running-command.ts";

const since = Date.UTC(2026, 10, 26, 14, 7, 59);

it.each([
  ["worktree", "prepares its worktree: `npm ci`, since 14:07 UTC"],
  ["checkout", "prepares a clean checkout: `npm ci`, since 14:07 UTC"],
  ["proof", "is being checked: `npm ci`, since 14:07 UTC"],
] as const)("says what a command is for (%s), its line, and since when it runs", (purpose, text) => {
  expect(runningCommandText({ purpose, command: "npm ci", since })).toBe(text);
});

it("a command of several lines stays on one, and ends no code span", () => {
  expect(runningCommandText({ purpose: "proof", command: "a `b`\nc", since })).toContain("`a 'b' c`");
});
