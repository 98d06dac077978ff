import { describe, expect, it, test } from "vitest";
import { duration, parseDuration, printDuration } from "../../../src/domain/settings/duration.ts";

describe("durations", () => {
  test.each([
    ["90s", 90_000],
    ["15m", 900_000],
    ["2h", 7_200_000],
    ["7d", 604_800_000],
    ["365d", 31_536_000_000],
  ])("%s is %d ms", (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
    expect(duration().parse(text)).toBe(ms);
  });

  test.each(["", "0s", "-1s", "1.5h", "15", "15 m", "m", "1h30m", "1w", "366d", "1S", "9999999999s"])(
    "%j is none",
    (text) => {
      expect(parseDuration(text)).toBeUndefined();
    },
  );

  test("a fault says how durations are written, for a number too", () => {
    expect(duration().safeParse("soon").error?.issues[0]?.message).toContain("90s, 15m, 2h, 7d");
    expect(duration().safeParse(7200).error?.issues[0]?.message).toContain("with its unit");
  });
});

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
