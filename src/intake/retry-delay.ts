const FIRST_MS = 5_000;
const LONGEST_MS = 600_000;

/** Milliseconds until the next try after `failures` failed ones: 5 s, doubling, 10 min at most. */
export function retryDelay(failures: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.max(0, failures - 1));
}
