import { z } from "zod";

const UNITS: ReadonlyMap<string, number> = new Map([
  ["s", 1_000],
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
]);
const YEAR_MS = 365 * 86_400_000;
const PATTERN = /^([1-9]\d{0,8})([smhd])$/;

/** Returns the milliseconds of `90s`, `15m`, `2h`, `7d`; undefined for anything else, and for more than 365 days. */
export function parseDuration(text: string): number | undefined {
  const match = PATTERN.exec(text);
  const unit = UNITS.get(match?.[2] ?? "");
  if (unit === undefined) return undefined;
  const ms = Number(match?.[1]) * unit;
  return ms <= YEAR_MS ? ms : undefined;
}

/**
 * Prints a duration so that `parseDuration` reads it, in the largest unit that is whole; fractions of a second are
 * rounded.
 */
export function printDuration(ms: number): string {
  const [unit, size] = [...UNITS].findLast(([, one]) => ms >= one && ms % one === 0) ?? ["s", 1_000];
  return `${Math.round(ms / size)}${unit}`;
}

/** Returns the schema of a duration: text in, milliseconds out. */
export function duration() {
  return z
    .string({ error: "write a duration with its unit, such as 90s, 15m, 2h or 7d" })
    .transform((text, context) => {
      const ms = parseDuration(text);
      if (ms !== undefined) return ms;
      context.issues.push({
        code: "custom",
        input: text,
        message: "write one number with its unit (90s, 15m, 2h, 7d), more than zero and at most 365d",
      });
      return z.NEVER;
    })
    .meta({ title: "duration", pattern: PATTERN.source });
}
