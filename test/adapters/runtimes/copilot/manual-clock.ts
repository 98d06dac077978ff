import type { Clock } from "../../../../src/domain/ports/clock.ts";

/** A clock that a test moves. Timers set while it moves are not run by the same move. */
export function createManualClock(): Clock & { pass(ms: number): void } {
  let now = 0;
  const timers = new Set<{ at: number; fn: () => void }>();
  return {
    now: () => now,
    after(ms, fn) {
      const timer = { at: now + ms, fn };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    pass(ms) {
      now += ms;
      const due = timers
        .values()
        .filter(({ at }) => at <= now)
        .toArray();
      for (const timer of due) if (timers.delete(timer)) timer.fn();
    },
  };
}
