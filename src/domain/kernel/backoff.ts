/** Returns the milliseconds to wait before try `attempt` + 1: `base`, doubled each time, at most `cap`. */
export function backoff(attempt: number, base: number, cap: number): number {
  return Math.min(cap, base * 2 ** Math.min(attempt, 30));
}

/**
 * Milliseconds after a try whose answer was lost, in which GitHub's lists may lag or the write may still be in
 * progress. A write that is not found after this time was not made.
 */
export const SECOND_LOOKUP_MS = 30_000;

/** Milliseconds before an agent that was stopped in order (host stop, handoff, lost lease) gets a process again. */
export const GRACEFUL_PAUSE_MS = 2_000;

/** Returns the milliseconds to wait after a crash of the runtime: 5 s, doubled up to 5 min. */
export function crashDelay(restarts: number): number {
  return backoff(restarts, 5_000, 300_000);
}
