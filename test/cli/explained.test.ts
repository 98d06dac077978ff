import { expect, test } from "vitest";
import { explained } from "../../src/cli/command-line.ts";
import { OutsideError, StartupRefused } from "../../src/domain/kernel/errors.ts";

test("a refused start lists all faults, one a line", () => {
  const refused = new StartupRefused(["first", "second"]);
  expect(explained(refused, "serve")).toBe("Flotilla does not start:\n  - first\n  - second");
  expect(explained(refused, "report")).toBe(
    "`flotilla report` cannot run with these faults:\n  - first\n  - second",
  );
});

test("an error from outside says what to do next where that is known", () => {
  const options = { consequence: "tell" } as const;
  expect(explained(new OutsideError("x", "what is wrong", { ...options, advice: "do this" }), "serve")).toBe(
    "what is wrong\ndo this",
  );
  expect(explained(new OutsideError("x", "what is wrong", options), "serve")).toBe("what is wrong");
});

test.each([
  ["ENOSPC", "free some space"],
  ["EACCES", "may not do that"],
  ["EROFS", "read-only"],
])("an error %s of the machine says what to do, and has no stack", (code, next) => {
  const error = Object.assign(new Error(`${code}: open '/x'`), { code });
  expect(explained(error, "support")).toMatch(new RegExp(`^${code}: open '/x'\\n[^\\n]*${next}[^\\n]*$`));
});

test("anything else keeps its stack, and what is no error its text", () => {
  expect(explained(new Error("boom"), "serve")).toContain("explained.test.ts");
  expect(explained("just words", "serve")).toBe("just words");
});
