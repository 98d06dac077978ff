import { describe, expect, it } from "vitest";
import { jitterOf, nextDue } from "../../../src/domain/schedules/schedule.ts";

const DAY = 24 * 3_600_000;

/** All times of a schedule from the first to the last moment of a year, one after the other. */
function timesIn(
  year: number,
  schedule: { readonly cron: string; readonly timeZone: string },
): readonly number[] {
  const times: number[] = [];
  let at = Date.UTC(year, 0, 1) - 1;
  for (;;) {
    const next = nextDue(schedule, at);
    if (next === null || next >= Date.UTC(year + 1, 0, 1)) return times;
    expect(next).toBeGreaterThan(at);
    times.push(next);
    at = next;
  }
}

/** The hour and minute that a clock there shows. */
function clockAt(at: number, timeZone: string): string {
  return new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit" }).format(at);
}

describe("a schedule through a year", () => {
  it.each(["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "UTC"])(
    "comes at the same time of each day in %s, also where clocks change",
    (timeZone) => {
      const times = timesIn(2026, { cron: "30 8 * * *", timeZone });
      expect(times).toHaveLength(365);
      expect(new Set(times.map((at) => clockAt(at, timeZone)))).toEqual(new Set(["08:30"]));
    },
  );

  it("comes once on the day that has its time twice, and once on the day that leaves it out", () => {
    const berlin = { cron: "30 2 * * *", timeZone: "Europe/Berlin" };
    const times = timesIn(2026, berlin);
    const on = (day: number) =>
      times.filter((at) => at >= day - 2 * 3_600_000 && at < day + DAY - 2 * 3_600_000).length;
    expect(on(Date.UTC(2026, 2, 29))).toBe(1);
    expect(on(Date.UTC(2026, 9, 25))).toBe(1);
    expect(times).toHaveLength(365);
  });

  it("comes on each Monday", () => {
    const times = timesIn(2026, { cron: "0 6 * * 1", timeZone: "UTC" });
    expect(times).toHaveLength(52);
    expect(new Set(times.map((at) => new Date(at).getUTCDay()))).toEqual(new Set([1]));
  });
});

describe("jitter", () => {
  it("is the same for a schedule each time, and spreads many", () => {
    const many = Array.from({ length: 200 }, (_, index) =>
      jitterOf(`schedule-${index}`, { jitter: 600_000 }),
    );
    expect(jitterOf("weekly", { jitter: 600_000 })).toBe(jitterOf("weekly", { jitter: 600_000 }));
    expect(Math.min(...many)).toBeLessThan(60_000);
    expect(Math.max(...many)).toBeGreaterThan(540_000);
    expect(Math.max(...many)).toBeLessThan(600_000);
  });

  it("is none where none is configured", () => {
    expect(jitterOf("weekly", { jitter: undefined })).toBe(0);
  });
});
