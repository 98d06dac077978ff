import { dayOf, startOfDay } from "../../domain/breakers/day-budget.ts";

/** The period that each bar of a plot covers. */
export const PERIODS = ["day", "week"] as const;
export type Period = (typeof PERIODS)[number];

/** Days per bar, and number of bars: a month by day, or a quarter by week. */
const SHAPES = { day: { days: 1, bars: 30 }, week: { days: 7, bars: 13 } } as const;
/** 1970-01-05 was a Monday. */
const MONDAY = 4;

/** The period of one bar, `[from, to)` in milliseconds since the epoch. */
export interface PeriodSpan {
  /** The first day, such as `2026-03-01`; a week's is a Monday. */
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

/** Returns whole days or weeks in UTC up to now, oldest first. */
export function periodsUpTo(now: number, period: Period): readonly PeriodSpan[] {
  const { days, bars } = SHAPES[period];
  const today = dayOf(now);
  const last = period === "day" ? today : today - ((today - MONDAY) % 7);
  return Array.from({ length: bars }, (_, index) => {
    const first = last - (bars - 1 - index) * days;
    return { key: isoDay(startOfDay(first)), from: startOfDay(first), to: startOfDay(first + days) };
  });
}

export function isoDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
