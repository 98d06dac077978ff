import { expect, it } from "vitest";
import { changesSomething, mayHandOver, mayWrapUp } from "../../../src/domain/sessions/tool-kind.ts";

it.each([
  ["read", false],
  ["note", false],
  ["write", true],
  ["report", true],
] as const)("a tool that is for %s changes something: %s", (kind, changes) => {
  expect(changesSomething(kind)).toBe(changes);
});

it("lets an agent report, commit and leave word when its exchange is the last one, each where it is asked for", () => {
  expect(mayWrapUp("report_complete", "report")).toBe(true);
  expect(mayWrapUp("commit", "write")).toBe(true);
  expect(mayWrapUp("write_handoff", "note")).toBe(false);
  expect(mayHandOver("report_complete", "report")).toBe(true);
  expect(mayHandOver("write_handoff", "note")).toBe(true);
  expect(mayHandOver("comment", "write")).toBe(false);
});
