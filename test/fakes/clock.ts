import type { Clock } from "../../src/domain/ports/clock.ts";

export interface FakeClock extends Clock {
  /** Lets time pass: timers that fall due fire in their order, each at its own time, those set meanwhile too. */
  advance(ms: number): void;
  /** Somebody sets the wall clock: timers keep the time that they have left, as the machine's own do. */
  set(ms: number): void;
}

/** A clock that stands still until a test moves it. */
export function createFakeClock(start: number): FakeClock {
  let now = start;
  const timers = new Set<{ at: number; readonly fn: () => void }>();
  return {
    now: () => now,
    after(ms, fn) {
      const timer = { at: now + ms, fn };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance(ms) {
      const end = now + ms;
      for (let next = soonest(timers); next !== undefined && next.at <= end; next = soonest(timers)) {
        timers.delete(next);
        now = next.at;
        next.fn();
      }
      now = end;
    },
    set(ms) {
      now += ms;
      for (const timer of timers) timer.at += ms;
    },
  };
}

function soonest<T extends { readonly at: number }>(timers: ReadonlySet<T>): T | undefined {
  return [...timers].toSorted((one, other) => one.at - other.at)[0];
}
