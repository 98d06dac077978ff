import { OutsideError } from "../kernel/errors.ts";

/** Milliseconds. A server that is down comes back; its effects are not given up sooner. */
const OUTAGE_MS = 24 * 60 * 60_000;
/** Codes of the adapters for a server that serves nobody: GitHub's API (or a proxy in front of it), and its git. */
const OUT_OF_ORDER: ReadonlySet<string> = new Set(["unavailable", "malformed", "network"]);

/**
 * Returns true when a failed try of an effect is followed by another: while tries are left, and for a day without a
 * count while the server serves nobody, unless the effect gives way to others. `attempts` includes the failed one.
 * Times in milliseconds since the epoch.
 */
export function mayTryAgain(
  error: unknown,
  effect: {
    readonly attempts: number;
    readonly maxAttempts: number;
    readonly createdAt: number;
    readonly givesWay?: boolean | undefined;
  },
  now: number,
): boolean {
  if (error instanceof OutsideError && error.consequence !== "retry") return false;
  if (effect.attempts < effect.maxAttempts) return true;
  if (effect.givesWay === true) return false;
  return error instanceof OutsideError && OUT_OF_ORDER.has(error.code) && now - effect.createdAt < OUTAGE_MS;
}
