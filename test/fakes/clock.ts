import type { Clock } from "../../src/domain/ports/clock.ts";

export interface FakeClock extends Clock {
  /** Advances time. Due timers fire in order, each at its own time, including those set in the meantime. */
  advance(ms: number): void;
  /** Sets the wall clock. As on a real machine, timers keep their remaining time. */
  set(ms: number): void;
}

/** Creates a clock that only a test advances. */
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
