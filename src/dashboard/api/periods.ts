import { dayOf, startOfDay } from "../../domain/breakers/day-budget.ts";

/** What the bars of a plot stand for. */
export const PERIODS = ["day", "week"] as const;
export type Period = (typeof PERIODS)[number];

/** Days of a bar, and how many bars there are: a month by days, or a quarter by weeks. */
const SHAPES = { day: { days: 1, bars: 30 }, week: { days: 7, bars: 13 } } as const;
/** 1970-01-05 was a Monday. */
const MONDAY = 4;

/** A bar's time, `[from, to)` in milliseconds since the epoch, named by its first day. */
export interface PeriodSpan {
  /** `2026-03-01`; of a week its Monday. */
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

/** The days or weeks up to now, the oldest first, whole and in UTC. */
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
