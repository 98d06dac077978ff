import type { Clock } from "../../src/domain/ports/clock.ts";

/** A clock that stands still until it is moved; what is due fires while it moves. */
export function stoppedClock(
  start = 1_000_000,
): Clock & { move(ms: number): void; readonly waiting: number } {
  let now = start;
  const timers = new Set<{ at: number; fn: () => void }>();
  return {
    get waiting() {
      return timers.size;
    },
    now: () => now,
    after(ms, fn) {
      const timer = { at: now + ms, fn };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    move(ms) {
      now += ms;
      for (const timer of timers) {
        if (timer.at > now) continue;
        timers.delete(timer);
        timer.fn();
      }
    },
  };
}
