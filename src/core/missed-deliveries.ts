import type { HookAttempt } from "./ports/hook-deliveries.ts";

/** How far GitHub goes back: an attempt that is older cannot be repeated any more. */
const REDELIVERY_WINDOW_MS = 3 * 24 * 60 * 60_000;
/** A sweep looks back this much beyond the one before, since clocks differ and attempts are listed late. */
const OVERLAP_MS = 15 * 60_000;
/** A delivery that is refused each time it comes would otherwise be asked for until the window is over. */
const MOST_ASKED = 5;
/** A burst goes in pieces, so that what people do meanwhile is not behind all of it. */
const MOST_AT_ONCE = 200;

/** Since when the attempts are looked at, for a sweep at `now` when the last one looked at all until `last`. */
export function sweepSince(last: number, now: number): number {
  return Math.max(last - OVERLAP_MS, now - REDELIVERY_WINDOW_MS);
}

/** True when webhooks may be lost that nobody can deliver again. */
export function beyondRedelivery(last: number, now: number): boolean {
  return now - last > REDELIVERY_WINDOW_MS;
}

export interface Missed {
  /** One attempt of each delivery to be repeated, oldest delivery first: the order in which things happened. */
  readonly redeliver: readonly HookAttempt[];
  /** Left for the next sweep. */
  readonly later: number;
  /** Asked for so often that it is not asked for again. */
  readonly hopeless: readonly HookAttempt[];
}

/**
 * The deliveries that never came into the inbox. What GitHub thinks of an attempt does not matter: our answer may have
 * been lost after it was stored, and our database may be older than an answer of ours. `known` = guids in the inbox,
 * `asked` = how often each was asked for.
 */
export function missedDeliveries(
  attempts: readonly HookAttempt[],
  { known, asked }: { readonly known: ReadonlySet<string>; readonly asked: ReadonlyMap<string, number> },
): Missed {
  const missed = [...Map.groupBy(attempts, ({ guid }) => guid).values()]
    .map((tries) => tries.toSorted(byTime))
    .flatMap(([first, ...more]) =>
      first === undefined || known.has(first.guid) ? [] : [{ first, last: more.at(-1) ?? first }],
    )
    .toSorted((one, other) => byTime(one.first, other.first));
  const hopeless = missed.filter(({ first }) => (asked.get(first.guid) ?? 0) >= MOST_ASKED);
  const open = missed.filter((one) => !hopeless.includes(one));
  return {
    redeliver: open.slice(0, MOST_AT_ONCE).map(({ last }) => last),
    later: Math.max(0, open.length - MOST_AT_ONCE),
    hopeless: hopeless.map(({ last }) => last),
  };
}

/** Ids grow with time, and the times are whole seconds. */
function byTime(one: HookAttempt, other: HookAttempt): number {
  return one.at - other.at || one.id - other.id;
}
