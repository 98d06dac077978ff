import type { Log } from "../domain/ports/log.ts";

const WINDOW_MS = 60_000;
const MOST = 10;
/** Maximum number of keys; the oldest ones are dropped first. */
const MOST_KEYS = 1000;

/** Counts failures by key, per minute; a key's minute begins with its first failure. */
export class FailureLimit {
  readonly #now: () => number;
  readonly #log: Log;
  readonly #windows = new Map<string, { readonly until: number; count: number }>();

  constructor(parts: { readonly now: () => number; readonly log: Log }) {
    this.#now = parts.now;
    this.#log = parts.log;
  }

  /** Counts one failure. Logs the first one beyond the limit, once per minute. */
  count(key: string): void {
    const window = this.#current(key) ?? this.#begin(key);
    window.count += 1;
    if (window.count === MOST + 1)
      this.#log.warn({ from: key }, "sign-ins refused: more than ten failed within a minute");
  }

  /** Returns the seconds until the minute ends; null if there were at most ten failures. */
  secondsToWait(key: string): number | null {
    const window = this.#current(key);
    if (window === undefined || window.count <= MOST) return null;
    return Math.ceil((window.until - this.#now()) / 1000);
  }

  #current(key: string) {
    const window = this.#windows.get(key);
    return window === undefined || window.until <= this.#now() ? undefined : window;
  }

  #begin(key: string) {
    this.#windows.delete(key);
    for (const oldest of this.#windows.keys())
      if (this.#windows.size >= MOST_KEYS) this.#windows.delete(oldest);
      else break;
    const window = { until: this.#now() + WINDOW_MS, count: 0 };
    this.#windows.set(key, window);
    return window;
  }
}
