import { expect, test } from "vitest";
import { aboutMinutes } from "../../../src/domain/messages/format.ts";

test.each([
  [-5, 1],
  [1, 1],
  [60_000, 1],
  [60_001, 2],
  [3_599_000, 60],
])("%i ms are about %i min, and never none", (ms, minutes) => {
  expect(aboutMinutes(ms)).toBe(`in about ${minutes} min`);
});
