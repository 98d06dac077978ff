const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Durations such as `20s`, `6m0s`, `1.5 minutes`, `2 hours`. */
const SPAN =
  /(?<!\d)(\d+(?:\.\d+)?)\s*(ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?)(?![a-z])/gi;
const INTRODUCED =
  /(?:try again in|retry (?:after|in)|retry-after:?|resets? in|available (?:again )?in|wait)\s*((?:\d+(?:\.\d+)?\s*[a-z]*\s*)+)/i;

/**
 * Returns the milliseconds until the provider's limit is over, from the words of its error; undefined when they do not
 * say. A bare number means seconds, as in the header.
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

/** Returns the same from the headers of an answer; `now` in milliseconds since the epoch. */
export function retryAfterOf(headers: Headers, now: number): number | undefined {
  const ms = plainNumber(headers.get("retry-after-ms"));
  if (ms !== undefined) return ms;
  const after = headers.get("retry-after");
  const seconds = plainNumber(after);
  if (seconds !== undefined) return Math.ceil(seconds * 1000);
  const at = after !== null && /^[A-Z][a-z]{2}, .* GMT$/.test(after) ? Date.parse(after) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

function plainNumber(text: string | null): number | undefined {
  return text !== null && /^\s*\d{1,12}(?:\.\d{1,6})?\s*$/.test(text) ? Number(text) : undefined;
}
