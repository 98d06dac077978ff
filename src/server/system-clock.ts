import type { Clock } from "../domain/ports/clock.ts";

/** The machine's clock. A waiting timer does not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, fn) {
    // Node fires timers longer than 2^31 - 1 ms at once.
    const timer = setTimeout(fn, Math.min(ms, 2 ** 31 - 1));
    timer.unref();
    return () => {
      clearTimeout(timer);
    };
  },
};
