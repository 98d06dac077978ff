import type { GitHubLeft } from "../../../domain/ports/github-app.ts";

/** One sliding window: what was answered in it, oldest first, in milliseconds since the epoch. */
type Window = readonly { readonly at: number; readonly amount: number }[];

/** What one installation has spent, and until when GitHub told it to keep still. A value: each function gives the next. */
export interface Buckets {
  readonly windows: readonly Window[];
  /** What the requests cost that are not answered yet. */
  readonly underWay: Readonly<Record<Unit, number>>;
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

type Unit = "points" | "content";

const MINUTE = 60_000;

/** GitHub's published secondary limits for one installation, and how much of each is kept for what a person waits for. */
const LIMITS: readonly { unit: Unit; limit: number; kept: number; windowMs: number }[] = [
  { unit: "points", limit: 900, kept: 90, windowMs: MINUTE },
  { unit: "content", limit: 80, kept: 10, windowMs: MINUTE },
  { unit: "content", limit: 500, kept: 50, windowMs: 60 * MINUTE },
];

export function fullBuckets(): Buckets {
  return { windows: LIMITS.map(() => []), underWay: { points: 0, content: 0 }, pausedUntil: 0 };
}

/**
 * Takes the cost of one request at the time `now` (milliseconds). When it does not fit, nothing is taken and
 * `retryAt` is the earliest time at which it may fit. GitHub counts a request when it arrives, which is at some time before
 * its answer comes. So each counts from now until a window's length after its answer (`answered`), and what arrives in any
 * span of that length never costs more than the limit, wherever GitHub's own windows begin.
 */
export function take(
  buckets: Buckets,
  cost: Cost,
  now: number,
): { readonly buckets: Buckets; readonly retryAt: number | undefined } {
  const windows = LIMITS.map((_, index) => inWindow(buckets, index, now));
  const waits = LIMITS.map(({ unit, limit, kept, windowMs }, index) => {
    // What costs nothing of a unit never waits for it.
    if (cost[unit] === 0) return 0;
    // None of those under way is answered before now.
    const counted = [...(windows[index] ?? []), { at: now, amount: buckets.underWay[unit] }];
    return freeAt(counted, limit - (cost.forPerson ? 0 : kept) - cost[unit], windowMs);
  });
  const retryAt = Math.max(buckets.pausedUntil, ...waits);
  if (retryAt > now) return { buckets: { ...buckets, windows }, retryAt };
  return { buckets: { ...buckets, windows, underWay: added(buckets.underWay, cost, 1) }, retryAt: undefined };
}

/** The request of that cost has its answer, or is given up. */
export function answered(buckets: Buckets, cost: Cost, at: number): Buckets {
  return charged({ ...buckets, underWay: added(buckets.underWay, cost, -1) }, cost, at);
}

/** What is left of each limit at that time. */
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

/** Lets nothing through before `until` (milliseconds); a later time already set stays. */
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

/** When the window holds at most `room`; 0 when it does already. */
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
