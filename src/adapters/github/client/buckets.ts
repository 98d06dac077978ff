import type { GitHubLeft } from "../../../domain/ports/github-app.ts";

/** One sliding window: the requests answered in it, oldest first, in milliseconds since the epoch. */
type Window = readonly { readonly at: number; readonly amount: number }[];

/**
 * What one installation has spent, and how long GitHub asked it to pause. Immutable: each function returns
 * the next value.
 */
export interface Buckets {
  readonly windows: readonly Window[];
  /** The cost of requests that have not been answered yet. */
  readonly underWay: Readonly<Record<Unit, number>>;
  readonly pausedUntil: number;
}

export interface Cost {
  /** GitHub's points: 1 for a read, 5 for a write. */
  readonly points: number;
  /** Content that people see: comments, pull requests, labels. */
  readonly content: number;
  /** True if a person is waiting for this request: it may use the part of the limit that is reserved for people. */
  readonly forPerson?: boolean;
  /** True if the request only shows a state that a later one shows as well: it leaves room for what work waits for. */
  readonly isDisplay?: boolean;
}

type Unit = "points" | "content";

const MINUTE = 60_000;

interface Limit {
  readonly unit: Unit;
  readonly limit: number;
  /** How much of it is reserved for what a person waits for. */
  readonly kept: number;
  /** How much more is closed to displays. None of an hour's limit, since effects behind a display would wait as long. */
  readonly keptForWork: number;
  readonly windowMs: number;
}

/** GitHub's published secondary limits for one installation. */
const LIMITS: readonly Limit[] = [
  { unit: "points", limit: 900, kept: 90, keptForWork: 0, windowMs: MINUTE },
  { unit: "content", limit: 80, kept: 10, keptForWork: 30, windowMs: MINUTE },
  { unit: "content", limit: 500, kept: 50, keptForWork: 0, windowMs: 60 * MINUTE },
];

export function fullBuckets(): Buckets {
  return { windows: LIMITS.map(() => []), underWay: { points: 0, content: 0 }, pausedUntil: 0 };
}

/**
 * Takes the cost of one request at `now` (milliseconds); if it does not fit, takes nothing and returns the
 * earliest time to try as `retryAt`. `sharers`: how many processes share the limits, each with an equal part. Each request counts until a window's length after its answer
 * (`answered`), so that the limit holds wherever GitHub's own windows begin.
 */
export function take(
  buckets: Buckets,
  cost: Cost,
  now: number,
  sharers = 1,
): { readonly buckets: Buckets; readonly retryAt: number | undefined } {
  const windows = LIMITS.map((_, index) => inWindow(buckets, index, now));
  const waits = LIMITS.map(({ unit, limit, kept, keptForWork, windowMs }, index) => {
    // A request that costs nothing of a unit never waits for it.
    if (cost[unit] === 0) return 0;
    // No request in progress was answered before now.
    const counted = [...(windows[index] ?? []), { at: now, amount: buckets.underWay[unit] }];
    const reserved = cost.forPerson ? 0 : kept + (cost.isDisplay ? keptForWork : 0);
    const part = Math.floor((limit - reserved) / sharers);
    return freeAt(counted, part - cost[unit], windowMs);
  });
  const retryAt = Math.max(buckets.pausedUntil, ...waits);
  if (retryAt > now) return { buckets: { ...buckets, windows }, retryAt };
  return { buckets: { ...buckets, windows, underWay: added(buckets.underWay, cost, 1) }, retryAt: undefined };
}

/** Records that a request of that cost was answered or given up. */
export function answered(buckets: Buckets, cost: Cost, at: number): Buckets {
  return charged({ ...buckets, underWay: added(buckets.underWay, cost, -1) }, cost, at);
}

/** Returns what is left of each limit at that time. */
export function left(buckets: Buckets, now: number): GitHubLeft {
  const [points = 0, contentOfMinute = 0, contentOfHour = 0] = LIMITS.map(
    ({ unit, limit }, index) => limit - buckets.underWay[unit] - sumOf(inWindow(buckets, index, now)),
  );
  return { points, contentOfMinute, contentOfHour };
}

/** Counts a request that was answered at that time, whether it fits or not. */
export function charged(buckets: Buckets, cost: Cost, at: number): Buckets {
  const windows = buckets.windows.map((window, index) => {
    const amount = cost[LIMITS[index]?.unit ?? "points"];
    return amount > 0 ? [...window, { at, amount }] : window;
  });
  return { ...buckets, windows };
}

/** Blocks all requests until `until` (milliseconds). Does not shorten a longer pause. */
export function pause(buckets: Buckets, until: number): Buckets {
  return { ...buckets, pausedUntil: Math.max(buckets.pausedUntil, until) };
}

function inWindow(buckets: Buckets, index: number, now: number): Window {
  const length = LIMITS[index]?.windowMs ?? 0;
  return (buckets.windows[index] ?? []).filter(({ at }) => at > now - length && at <= now);
}

const sumOf = (window: Window): number => window.reduce((sum, { amount }) => sum + amount, 0);

function added(underWay: Buckets["underWay"], cost: Cost, times: 1 | -1): Buckets["underWay"] {
  return {
    points: underWay.points + times * cost.points,
    content: underWay.content + times * cost.content,
  };
}

/** Returns the time at which the window holds at most `room`; 0 if it already does. */
function freeAt(window: Window, room: number, windowMs: number): number {
  let sum = sumOf(window);
  let free = 0;
  for (const { at, amount } of window) {
    if (sum <= room) break;
    sum -= amount;
    free = at + windowMs;
  }
  return free;
}
