import { ApiError } from "./answer.ts";

const MINUTE = 60_000;

/** GitHub's published limits of one installation, in sliding windows. */
const LIMITS = [
  { unit: "points", limit: 900, windowMs: MINUTE },
  { unit: "content", limit: 80, windowMs: MINUTE },
  { unit: "content", limit: 500, windowMs: 60 * MINUTE },
] as const;
const AT_ONCE = 100;

/** A request that GitHub's limits forbid at that time. */
export interface Violation {
  readonly method: string;
  readonly path: string;
  readonly why: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** How GitHub refuses requests for some time. Times are in seconds. */
export type Refusal =
  /**
   * Too many requests in too short a time. Without `retryAfter` the refusal lasts a minute, and GitHub does not say so.
   */
  | { readonly status: 403 | 429; readonly retryAfter?: number }
  /** The account has used up its requests of this hour. */
  | { readonly status: 403 | 429; readonly resetIn: number };

/**
 * GitHub's secondary limits. An account that exceeds one is refused, and all its requests are forbidden until the time
 * is over.
 */
export interface SecondaryLimits {
  /** Counts a request of this account until `end` is called. Throws the refusal. */
  readonly begin: (account: string, method: string, path: string) => { readonly end: () => void };
  /** Refuses the next request of any account in this way, although it breaks no limit. */
  readonly refuseNext: (refusal: Refusal) => void;
  /** Returns the number of accepted requests. */
  readonly taken: () => number;
  readonly violations: () => readonly Violation[];
}

export function createSecondaryLimits(nowMs: () => number): SecondaryLimits {
  const spent = new Map<string, { at: number; points: number; content: number }[]>();
  /** By account, or for all accounts. */
  const forbidden = new Map<string, number>();
  const violations: Violation[] = [];
  const refusals: Refusal[] = [];
  let under = 0;
  let taken = 0;

  const forbid = (account: string, until: number): void =>
    void forbidden.set(account, Math.max(forbidden.get(account) ?? 0, until));

  /** Also sets what the answer says about it. */
  function refused(account: string, refusal: Refusal, at: number): ApiError {
    if ("resetIn" in refusal) {
      const until = Math.ceil(at / 1000) + refusal.resetIn;
      forbid(account, until * 1000);
      const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(until) };
      return new ApiError(refusal.status, "API rate limit exceeded for installation.", {}, headers);
    }
    const { retryAfter } = refusal;
    forbid(EVERY, at + (retryAfter ?? 60) * 1000);
    const headers = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
    return new ApiError(refusal.status, "You have exceeded a secondary rate limit.", {}, headers);
  }

  return {
    begin(account, method, path) {
      const at = nowMs();
      const cost = {
        at,
        points: ["GET", "HEAD"].includes(method) ? 1 : 5,
        content: method === "POST" && !path.startsWith("/app/") && path !== "/graphql" ? 1 : 0,
      };
      const before = (spent.get(account) ?? []).filter((one) => one.at > at - 60 * MINUTE);
      const over = LIMITS.find(({ unit, limit, windowMs }) => {
        const used = before.filter((one) => one.at > at - windowMs).reduce((sum, one) => sum + one[unit], 0);
        return cost[unit] > 0 && used + cost[unit] > limit;
      });
      const until = Math.max(forbidden.get(account) ?? 0, forbidden.get(EVERY) ?? 0);
      const why =
        until > at
          ? "before GitHub allowed it again"
          : over !== undefined
            ? `more than ${over.limit} ${over.unit} in ${over.windowMs / MINUTE} min`
            : under >= AT_ONCE
              ? `more than ${AT_ONCE} at once`
              : undefined;
      if (why !== undefined) {
        violations.push({ method, path, why, at });
        throw refused(account, { status: 403, retryAfter: Math.max(60, Math.ceil((until - at) / 1000)) }, at);
      }
      spent.set(account, [...before, cost]);
      const next = refusals.shift();
      if (next !== undefined) throw refused(account, next, at);
      under += 1;
      taken += 1;
      return { end: () => void (under -= 1) };
    },
    refuseNext: (refusal) => void refusals.push(refusal),
    taken: () => taken,
    violations: () => violations,
  };
}

const EVERY = "*";
