import { expect, it } from "vitest";
import { ERROR_CODES, ERROR_MEANINGS, errorCode, limitCode } from "../../src/core/error-code.ts";

it("is a closed list: each code has its meaning, and nothing else is one", () => {
  expect(ERROR_CODES).toEqual(Object.keys(ERROR_MEANINGS));
  for (const code of ERROR_CODES) expect(errorCode.parse(code)).toBe(code);
  for (const other of ["ERROR", "", "constructor", "max_turns"])
    expect(errorCode.safeParse(other).success).toBe(false);
});

it("knows a limit by its name in the configuration", () => {
  expect(limitCode("max_tool_calls")).toBe("max_tool_calls");
  expect(limitCode("toString")).toBe("internal_error");
});
