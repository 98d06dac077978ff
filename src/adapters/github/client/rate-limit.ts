/** An answer's headers with lower-case names, as Octokit returns them. */
export type Headers = Readonly<Record<string, string | number | undefined>>;

const UNTOLD_WAIT_MS = 60_000;
/** GitHub's windows last an hour. A later time in a header is capped at this. */
const LONGEST_WAIT_MS = 2 * 60 * 60_000;

/**
 * Returns when GitHub allows the next request (milliseconds since the epoch), according to its headers; otherwise in a
 * minute.
 */
export function allowedAgainAt(headers: Headers, now: number): number {
  return retryAfter(headers, now) ?? resetAt(headers, now) ?? now + UNTOLD_WAIT_MS;
}

/** Returns whether a refusal (403 or 429) is a rate limit, and not about permissions. */
export function isRateLimit(status: number, headers: Headers, text: string): boolean {
  if (status === 429) return true;
  if (status !== 403) return false;
  return (
    headers["retry-after"] !== undefined ||
    resetAt(headers, 0) !== undefined ||
    /secondary rate limit|abuse detection|rate limit exceeded/i.test(text)
  );
}

/** Returns the end of the primary limit's window if nothing is left in it; undefined otherwise, or if it is over. */
export function resetAt(headers: Headers, now: number): number | undefined {
  const reset = Number(headers["x-ratelimit-reset"]) * 1000;
  return String(headers["x-ratelimit-remaining"]) === "0" && reset > now ? bounded(reset, now) : undefined;
}

/**
 * Returns whether a refusal says only that the account's own limit is used up. With `retry-after` it is a secondary
 * limit.
 */
export function isUsedUp(headers: Headers, now: number): boolean {
  return headers["retry-after"] === undefined && resetAt(headers, now) !== undefined;
}

/** Parses `retry-after` in either of its forms: seconds or an HTTP date. */
export function retryAfter(headers: Headers, now: number): number | undefined {
  const value = headers["retry-after"];
  if (value === undefined) return undefined;
  const seconds = Number(value);
  const at = Number.isNaN(seconds) ? Date.parse(String(value)) : now + seconds * 1000;
  return Number.isNaN(at) ? undefined : bounded(at, now);
}

function bounded(at: number, now: number): number {
  return Math.min(at, now + LONGEST_WAIT_MS);
}
