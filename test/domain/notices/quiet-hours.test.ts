import { describe, expect, it } from "vitest";
import { quietUntil } from "../../../src/domain/notices/quiet-hours.ts";

const berlin = { from: "22:00", to: "07:00", timeZone: "Europe/Berlin" };
const at = (iso: string) => Date.parse(iso);
const until = (iso: string, quiet = berlin) => {
  const end = quietUntil(quiet, at(iso));
  return end === null ? null : new Date(end).toISOString();
};

describe("quiet hours", () => {
  it.each([
    ["before they begin", "2026-01-10T20:59:59Z", null],
    ["as they begin", "2026-01-10T21:00:00Z", "2026-01-11T06:00:00.000Z"],
    ["after midnight", "2026-01-11T03:00:00Z", "2026-01-11T06:00:00.000Z"],
    ["as they end", "2026-01-11T06:00:00Z", null],
    ["in summer", "2026-07-10T20:30:00Z", "2026-07-11T05:00:00.000Z"],
    ["in the night in which clocks go forward", "2026-03-28T22:00:00Z", "2026-03-29T05:00:00.000Z"],
    ["in the night in which clocks go back", "2026-10-24T21:00:00Z", "2026-10-25T06:00:00.000Z"],
  ])("are looked up where they hold: %s", (_, now, end) => {
    expect(until(now)).toBe(end);
  });

  it("may lie within a day", () => {
    const lunch = { from: "12:00", to: "13:00", timeZone: "UTC" };
    expect(until("2026-01-10T12:30:00Z", lunch)).toBe("2026-01-10T13:00:00.000Z");
    expect(until("2026-01-10T13:30:00Z", lunch)).toBeNull();
  });

  it("end although the time at which they end is left out by a change of clocks", () => {
    const early = { from: "22:00", to: "02:30", timeZone: "Europe/Berlin" };
    const end = quietUntil(early, at("2026-03-28T23:00:00Z"));
    expect(end).toBeGreaterThan(at("2026-03-28T23:00:00Z"));
    expect(end).toBeLessThanOrEqual(at("2026-03-29T01:30:00Z"));
  });

  it("are none where none are configured", () => {
    expect(quietUntil(undefined, 0)).toBeNull();
  });
});
