import { OutsideError } from "../kernel/errors.ts";

/** A server that is down comes back; what it was told to do is not given up sooner. */
const OUTAGE_MS = 24 * 60 * 60_000;
/** Codes of the adapters for a server that serves nobody: GitHub's API (or what answers in its place), and its git. */
const OUT_OF_ORDER: ReadonlySet<string> = new Set(["unavailable", "malformed", "network"]);

/**
 * True when a failed try of an effect is followed by another: while there are tries left, and for a day however many there
 * were when the server did not serve anybody, unless it gives way to others. `attempts` counts the failed one. Times in milliseconds since the epoch.
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
