import { expect, test } from "vitest";
import { explained } from "../../src/cli/command-line.ts";
import { OutsideError, StartupRefused } from "../../src/domain/kernel/errors.ts";

test("a refused start lists all faults, one a line", () => {
  expect(explained(new StartupRefused(["first", "second"]))).toBe(
    "Flotilla does not start:\n  - first\n  - second",
  );
});

test("an error from outside says what to do next where that is known", () => {
  const options = { consequence: "tell" } as const;
  expect(explained(new OutsideError("x", "what is wrong", { ...options, advice: "do this" }))).toBe(
    "what is wrong\ndo this",
  );
  expect(explained(new OutsideError("x", "what is wrong", options))).toBe("what is wrong");
});

test("a port in use names the cure", () => {
  const error = Object.assign(new Error("listen EADDRINUSE: 127.0.0.1:3000"), { code: "EADDRINUSE" });
  expect(explained(error)).toContain("set PORT");
});

test("anything else keeps its stack, and what is no error its text", () => {
  expect(explained(new Error("boom"))).toContain("explained.test.ts");
  expect(explained("just words")).toBe("just words");
});
