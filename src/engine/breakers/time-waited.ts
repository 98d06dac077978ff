import type { Clock } from "../../domain/ports/clock.ts";

/**
 * Measures how long an agent's period waited for git, GitHub or the runtime. This time is not active time of
 * the agent.
 */
export class TimeWaited {
  #waits = 0;
  #since = 0;
  #ended = 0;
  readonly #clock: Clock;
  readonly #onEnd: (ms: number) => Promise<void>;

  /** `onEnd` receives the length of each wait; overlapping waits are one. */
  constructor(clock: Clock, onEnd: (ms: number) => Promise<void>) {
    this.#clock = clock;
    this.#onEnd = onEnd;
  }

  /** Milliseconds waited so far, including a wait under way. */
  get ms(): number {
    return this.#ended + (this.isUnderWay ? this.#clock.now() - this.#since : 0);
  }

  get isUnderWay(): boolean {
    return this.#waits > 0;
  }

  async #keep(): Promise<void> {
    const now = this.#clock.now();
    const ms = now - this.#since;
    this.#ended += ms;
    this.#since = now;
    if (ms > 0) await this.#onEnd(ms);
  }

  /** Counts the duration of the work as waiting. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waits === 0) this.#since = this.#clock.now();
    this.#waits += 1;
    try {
      return await work();
    } finally {
      if (this.#waits === 1) await this.#keep();
      // Decrement only after `onEnd`: a reader that sees no wait under way must find the time recorded.
      this.#waits -= 1;
    }
  }
}
