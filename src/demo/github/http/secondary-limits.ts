import { ApiError } from "./answer.ts";

const MINUTE = 60_000;

/** GitHub's published limits of one installation, in sliding windows. */
const LIMITS = [
  { unit: "points", limit: 900, windowMs: MINUTE },
  { unit: "content", limit: 80, windowMs: MINUTE },
  { unit: "content", limit: 500, windowMs: 60 * MINUTE },
] as const;
const AT_ONCE = 100;

/** A request that GitHub forbids at that time. */
export interface Violation {
  readonly method: string;
  readonly path: string;
  readonly why: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** GitHub's secondary limits: who goes beyond one is refused, and everything until `retry-after` is over is forbidden. */
export interface SecondaryLimits {
  /** Counts a request of this account until `end` is called; throws the refusal. */
  readonly begin: (account: string, method: string, path: string) => { readonly end: () => void };
  readonly violations: () => readonly Violation[];
}

export function createSecondaryLimits(nowMs: () => number): SecondaryLimits {
  const spent = new Map<string, { at: number; points: number; content: number }[]>();
  const forbidden = new Map<string, number>();
  const violations: Violation[] = [];
  let under = 0;

  function waitOf(account: string, at: number): Record<string, string> {
    const until = Math.max(forbidden.get(account) ?? 0, at + MINUTE);
    forbidden.set(account, until);
    return { "retry-after": String(Math.ceil((until - at) / 1000)) };
  }

  return {
    begin(account, method, path) {
      const at = nowMs();
      const cost = {
        at,
        points: ["GET", "HEAD"].includes(method) ? 1 : 5,
        content: method === "POST" && !path.startsWith("/app/") ? 1 : 0,
      };
      const before = (spent.get(account) ?? []).filter((one) => one.at > at - 60 * MINUTE);
      const over = LIMITS.find(({ unit, limit, windowMs }) => {
        const used = before.filter((one) => one.at > at - windowMs).reduce((sum, one) => sum + one[unit], 0);
        return cost[unit] > 0 && used + cost[unit] > limit;
      });
      const why =
        (forbidden.get(account) ?? 0) > at
          ? "before retry-after was over"
          : over !== undefined
            ? `more than ${over.limit} ${over.unit} in ${over.windowMs / MINUTE} min`
            : under >= AT_ONCE
              ? `more than ${AT_ONCE} at once`
              : undefined;
      if (why !== undefined) {
        violations.push({ method, path, why, at });
        throw new ApiError(403, "You have exceeded a secondary rate limit.", {}, waitOf(account, at));
      }
      spent.set(account, [...before, cost]);
      under += 1;
      return { end: () => void (under -= 1) };
    },
    violations: () => violations,
  };
}
