import { backoff } from "../kernel/backoff.ts";
import type { HookAttempt } from "../ports/github-app.ts";

/** How long GitHub keeps a delivery attempt; an older one cannot be redelivered. Milliseconds. */
const REDELIVERY_WINDOW_MS = 3 * 24 * 60 * 60_000;
/** Overlap of a sweep with the one before, since clocks differ and attempts are listed late. Milliseconds. */
const OVERLAP_MS = 15 * 60_000;
/** Pause after the first request for a redelivery; it doubles each time. Milliseconds. */
const FIRST_PAUSE_MS = 10 * 60_000;
const LONGEST_PAUSE_MS = 60 * 60_000;
/** Requests after which a delivery is reported as stubborn. */
const STUBBORN = 5;
/** Redeliveries per sweep, so that new events need not wait for all of them. */
const MOST_AT_ONCE = 200;

/** Returns the time from which a sweep at `now` lists attempts, when nothing from before `last` is missing. */
export function sweepSince(last: number, now: number): number {
  return Math.max(last - OVERLAP_MS, now - REDELIVERY_WINDOW_MS);
}

/** A period whose webhooks may be lost, with no way to redeliver them. Milliseconds since the epoch. */
export interface LostWindow {
  readonly since: number;
  readonly until: number;
}

/** Returns null when all deliveries after `last` can still be redelivered. */
export function lostWindow(last: number, now: number): LostWindow | null {
  const until = now - REDELIVERY_WINDOW_MS;
  return last < until ? { since: last, until } : null;
}

/** How often a redelivery was requested, and in which sweep last. */
export interface Asked {
  readonly times: number;
  readonly at: number;
}

export interface Missed {
  /** One attempt of each delivery to repeat, oldest delivery first, which is the order of the events. */
  readonly redeliver: readonly HookAttempt[];
  /** Number of deliveries left for the next sweep. */
  readonly later: number;
  /** Deliveries that were requested again and again; the pauses between requests grow. */
  readonly stubborn: readonly HookAttempt[];
  /** The oldest attempt that the next sweep must list again, milliseconds since the epoch; null = none is missing. */
  readonly oldest: number | null;
}

/**
 * Finds the deliveries that are not in the inbox, whatever GitHub says of their attempts: an answer may be lost after
 * the delivery was stored, and a restored database may be older. No delivery is given up while GitHub keeps it. `known`
 * = guids in the inbox; `asked` = those requested before.
 */
export function missedDeliveries(
  attempts: readonly HookAttempt[],
  {
    known,
    asked,
    now,
  }: {
    readonly known: ReadonlySet<string>;
    readonly asked: ReadonlyMap<string, Asked>;
    readonly now: number;
  },
): Missed {
  const missed = [...Map.groupBy(attempts, ({ guid }) => guid).values()]
    .map((tries) => tries.toSorted(byTime))
    .flatMap(([first, ...more]) =>
      first === undefined || known.has(first.guid) ? [] : [{ first, last: more.at(-1) ?? first }],
    )
    .toSorted((one, other) => byTime(one.first, other.first))
    .map(({ last }) => last);
  const due = missed.filter(({ guid }) => nextAt(asked.get(guid)) <= now);
  return {
    redeliver: due.slice(0, MOST_AT_ONCE),
    later: Math.max(0, due.length - MOST_AT_ONCE),
    stubborn: missed.filter(({ guid }) => (asked.get(guid)?.times ?? 0) >= STUBBORN),
    oldest: missed.length === 0 ? null : Math.min(...missed.map(({ at }) => at)),
  };
}

function nextAt(asked: Asked | undefined): number {
  if (asked === undefined) return 0;
  return asked.at + backoff(asked.times - 1, FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
}

/** Compares ids first: ids grow with time, and times are whole seconds. */
function byTime(one: HookAttempt, other: HookAttempt): number {
  return one.at - other.at || (one.id < other.id ? -1 : 1);
}
