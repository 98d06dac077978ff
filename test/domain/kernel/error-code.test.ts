import { STATUS_CODES } from "node:http";
import { expect, it } from "vitest";
import {
  ERROR_CODES,
  ERROR_MEANINGS,
  ERROR_STATUS,
  errorCode,
  limitCode,
} from "../../../src/domain/kernel/error-code.ts";

it("is a closed list: each code has its meaning, and nothing else is one", () => {
  expect(ERROR_CODES).toEqual(Object.keys(ERROR_MEANINGS));
  for (const code of ERROR_CODES) expect(errorCode.parse(code)).toBe(code);
  for (const other of ["ERROR", "", "constructor", "max_turns"])
    expect(errorCode.safeParse(other).success).toBe(false);
});

it("has an HTTP status of an error for each", () => {
  expect(Object.keys(ERROR_STATUS)).toEqual(ERROR_CODES);
  for (const status of Object.values(ERROR_STATUS)) expect(STATUS_CODES[status]).toBeDefined();
  expect(Math.min(...Object.values(ERROR_STATUS))).toBeGreaterThanOrEqual(400);
});

it("knows a limit by its name in the configuration", () => {
  expect(limitCode("max_tool_calls")).toBe("max_tool_calls");
  expect(limitCode("toString")).toBe("internal_error");
});
