import { parseDuration } from "../domain/settings/duration.ts";

const MOMENT = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/**
 * Returns the milliseconds since the epoch of `2h` (a time ago), of a moment with its zone such as
 * `2026-11-22T10:00Z`, or of a day in UTC; null for anything else.
 */
export function typedSince(text: string, now: number): number | null {
  const ago = parseDuration(text);
  if (ago !== undefined) return now - ago;
  const at = MOMENT.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}
