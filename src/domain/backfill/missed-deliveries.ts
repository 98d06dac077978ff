import { backoff } from "../kernel/backoff.ts";
import type { HookAttempt } from "../ports/github-app.ts";

/** How far GitHub goes back: an attempt that is older cannot be repeated any more. */
const REDELIVERY_WINDOW_MS = 3 * 24 * 60 * 60_000;
/** A sweep looks back this much beyond the one before, since clocks differ and attempts are listed late. */
const OVERLAP_MS = 15 * 60_000;
/** Pause after the first time that one was asked for; it doubles from then on. */
const FIRST_PAUSE_MS = 10 * 60_000;
const LONGEST_PAUSE_MS = 60 * 60_000;
/** Something must be wrong with a delivery that was asked for so often. */
const STUBBORN = 5;
/** A burst goes in pieces, so that what people do meanwhile is not behind all of it. */
const MOST_AT_ONCE = 200;

/** Since when the attempts are looked at, for a sweep at `now` when nothing from before `last` is missing. */
export function sweepSince(last: number, now: number): number {
  return Math.max(last - OVERLAP_MS, now - REDELIVERY_WINDOW_MS);
}

/** A time from which webhooks may be lost that nobody can deliver again. Milliseconds since the epoch. */
export interface LostWindow {
  readonly since: number;
  readonly until: number;
}

/** Returns null when all that came after `last` can still be delivered. */
export function lostWindow(last: number, now: number): LostWindow | null {
  const until = now - REDELIVERY_WINDOW_MS;
  return last < until ? { since: last, until } : null;
}

/** How often a delivery was asked for, and in which sweep last. */
export interface Asked {
  readonly times: number;
  readonly at: number;
}

export interface Missed {
  /** One attempt of each delivery to be repeated, oldest delivery first: the order in which things happened. */
  readonly redeliver: readonly HookAttempt[];
  /** Left for the next sweep, so that not all go at once. */
  readonly later: number;
  /** Asked for again and again, more and more seldom. */
  readonly stubborn: readonly HookAttempt[];
  /** The oldest attempt that the next sweep must see again, milliseconds since the epoch; null = none is missing. */
  readonly oldest: number | null;
}

/**
 * The deliveries that never came into the inbox. What GitHub thinks of an attempt does not matter: our answer may have
 * been lost after it was stored, and our database may be older than an answer of ours. None is given up while GitHub
 * still has it: the way to us may be cut for hours. `known` = guids in the inbox; `asked` = those asked for before.
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

/** Ids grow with time, and the times are whole seconds. */
function byTime(one: HookAttempt, other: HookAttempt): number {
  return one.at - other.at || (one.id < other.id ? -1 : 1);
}
