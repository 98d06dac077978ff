const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `20s`, `6m0s`, `1.5 minutes`, `2 hours`. */
const SPAN =
  /(?<!\d)(\d+(?:\.\d+)?)\s*(ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?)(?![a-z])/gi;
const INTRODUCED =
  /(?:try again in|retry (?:after|in)|retry-after:?|resets? in|available (?:again )?in|wait)\s*((?:\d+(?:\.\d+)?\s*[a-z]*\s*)+)/i;

/**
 * Milliseconds until the provider's limit is over, read from its words: the runtime hands on no headers. Undefined when it
 * does not say. A bare number means seconds, as in the header of that name.
 */
export function retryAfterMs(message: string): number | undefined {
  const words = INTRODUCED.exec(message)?.[1];
  if (words === undefined) return undefined;
  const spans = [...words.matchAll(SPAN)];
  if (spans.length === 0) return Math.ceil(Number.parseFloat(words) * 1000);
  const sum = spans.reduce(
    (total, [, count, unit]) => total + Number(count) * (UNITS[shortOf(unit ?? "s")] ?? 1000),
    0,
  );
  return Math.ceil(sum);
}

function shortOf(unit: string): string {
  const lower = unit.toLowerCase();
  return lower.startsWith("ms") || lower.startsWith("milli") ? "ms" : lower.slice(0, 1);
}
