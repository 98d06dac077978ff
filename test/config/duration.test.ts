import { describe, expect, test } from "vitest";
import { duration, parseDuration } from "../../src/domain/settings/duration.ts";

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
