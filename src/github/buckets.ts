import type { GitHubLeft } from "../core/ports/github-limits.ts";

/** One sliding window: what was spent in it, oldest first, in milliseconds since the epoch. */
type Window = readonly { readonly at: number; readonly amount: number }[];

/** What one installation has spent, and until when GitHub told it to keep still. A value: `take` gives the next. */
export interface Buckets {
  readonly windows: readonly Window[];
  readonly pausedUntil: number;
}

export interface Cost {
  /** GitHub's points: 1 for a read, 5 for a write. */
  readonly points: number;
  /** Things made that people see: comments, pull requests, labels. */
  readonly content: number;
  /** True for what a person waits for at this moment: it may take what is kept back from everything else. */
  readonly forPerson?: boolean;
}

const MINUTE = 60_000;

/** GitHub's published secondary limits for one installation, and how much of each is kept for what a person waits for. */
const LIMITS: readonly { unit: "points" | "content"; limit: number; kept: number; windowMs: number }[] = [
  { unit: "points", limit: 900, kept: 90, windowMs: MINUTE },
  { unit: "content", limit: 80, kept: 10, windowMs: MINUTE },
  { unit: "content", limit: 500, kept: 50, windowMs: 60 * MINUTE },
];

export function fullBuckets(): Buckets {
  return { windows: LIMITS.map(() => []), pausedUntil: 0 };
}

/**
 * Takes the cost of one request at the time `now` (milliseconds). When it does not fit, nothing is taken and
 * `retryAt` is the earliest time at which it would. Windows slide, so no span of a window's length ever holds more
 * than its limit, wherever GitHub's own windows begin.
 */
export function take(
  buckets: Buckets,
  cost: Cost,
  now: number,
): { readonly buckets: Buckets; readonly retryAt: number | undefined } {
  const windows = LIMITS.map(({ windowMs }, index) =>
    (buckets.windows[index] ?? []).filter(({ at }) => at > now - windowMs && at <= now),
  );
  const waits = LIMITS.map(({ unit, limit, kept, windowMs }, index) =>
    // What costs nothing of a unit never waits for it.
    cost[unit] === 0
      ? 0
      : freeAt(windows[index] ?? [], limit - (cost.forPerson ? 0 : kept) - cost[unit], windowMs),
  );
  const retryAt = Math.max(buckets.pausedUntil, ...waits);
  if (retryAt > now) return { buckets: { ...buckets, windows }, retryAt };
  return { buckets: charged({ ...buckets, windows }, cost, now), retryAt: undefined };
}

/** What is left of each limit at that time. */
export function left(buckets: Buckets, now: number): GitHubLeft {
  const [points = 0, contentOfMinute = 0, contentOfHour = 0] = LIMITS.map(({ limit, windowMs }, index) => {
    const inside = (buckets.windows[index] ?? []).filter(({ at }) => at > now - windowMs && at <= now);
    return limit - inside.reduce((sum, { amount }) => sum + amount, 0);
  });
  return { points, contentOfMinute, contentOfHour };
}

/** Counts what was spent at that time, whether it fits or not. */
export function charged(buckets: Buckets, cost: Cost, at: number): Buckets {
  const windows = buckets.windows.map((window, index) => {
    const amount = cost[LIMITS[index]?.unit ?? "points"];
    return amount > 0 ? [...window, { at, amount }] : window;
  });
  return { ...buckets, windows };
}

/** Lets nothing through before `until` (milliseconds); a later time already set stays. */
export function pause(buckets: Buckets, until: number): Buckets {
  return { ...buckets, pausedUntil: Math.max(buckets.pausedUntil, until) };
}

/** When the window holds at most `room`; 0 when it does already. */
function freeAt(window: Window, room: number, windowMs: number): number {
  let sum = window.reduce((total, { amount }) => total + amount, 0);
  let free = 0;
  for (const { at, amount } of window) {
    if (sum <= room) break;
    sum -= amount;
    free = at + windowMs;
  }
  return free;
}
