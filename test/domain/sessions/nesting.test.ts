import { expect, it } from "vitest";
import { isTooDeep } from "../../../src/domain/sessions/nesting.ts";
import { nested } from "./nested.ts";

it.each([
  [undefined, false],
  ["text", false],
  [{ a: [1, { b: null }] }, false],
  [nested(100), false],
  [nested(101), false],
  [nested(102), true],
  [{ a: 1, b: [nested(100_000)] }, true],
])("%#: finds arguments that are nested too deeply, however deep they are", (args, expected) => {
  expect(isTooDeep(args)).toBe(expected);
});
