/** Milliseconds to wait before try `attempt` + 1: `base` doubling with each, at most `cap`. */
export function backoff(attempt: number, base: number, cap: number): number {
  return Math.min(cap, base * 2 ** Math.min(attempt, 30));
}

/**
 * After a try whose answer is lost: so long GitHub's lists may lag behind what it wrote, or it may still be under way.
 * What is not found by then was not written.
 */
export const SECOND_LOOK_MS = 30_000;

/** Before an agent that was ended in good order (host stop, handoff, lost lease) gets a process again. */
export const GRACEFUL_PAUSE_MS = 2_000;

/** After a crash of the runtime: 5 s doubling to 5 min. */
export function crashDelay(restarts: number): number {
  return backoff(restarts, 5_000, 300_000);
}
