import type { Clock } from "../../domain/ports/clock.ts";

/** How long an agent's period waited for what is outside. That is no active time of the agent. */
export class TimeWaited {
  #waits = 0;
  #since = 0;
  #ended = 0;
  readonly #clock: Clock;
  readonly #onEnd: (ms: number) => Promise<void>;

  /** `onEnd` is given the length of each wait; waits that overlap are one. */
  constructor(clock: Clock, onEnd: (ms: number) => Promise<void>) {
    this.#clock = clock;
    this.#onEnd = onEnd;
  }

  /** Milliseconds so far, with a wait that is under way. */
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

  /** Counts the time that the work takes. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waits === 0) this.#since = this.#clock.now();
    this.#waits += 1;
    try {
      return await work();
    } finally {
      if (this.#waits === 1) await this.#keep();
      // Only now: who sees that no wait is under way finds it kept.
      this.#waits -= 1;
    }
  }
}
