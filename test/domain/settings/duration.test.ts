import { expect, it } from "vitest";
import { parseDuration, printDuration } from "../../../src/domain/settings/duration.ts";

it.each(["90s", "15m", "2h", "36h", "7d", "365d"])("%s is printed as it was read", (text) => {
  expect(printDuration(parseDuration(text) ?? 0)).toBe(text);
});

it.each([
  [120_000, "2m"],
  [172_800_000, "2d"],
  [1_400, "1s"],
  [61_600, "62s"],
  [0, "0s"],
])("%d ms are printed as %s", (ms, text) => {
  expect(printDuration(ms)).toBe(text);
});

it("nothing over 365 days is a duration, whatever its unit", () => {
  expect(["366d", "8761h", "525601m", "31536001s"].map(parseDuration)).toEqual(Array(4).fill(undefined));
  expect(parseDuration("8760h")).toBe(365 * 86_400_000);
});
