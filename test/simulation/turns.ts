import { setImmediate as turn } from "node:timers/promises";

/** A call of a port, or the answer to one, that waits until it is its turn. */
export interface Waiting {
  readonly name: string;
  /** Where the process that made the call is. */
  readonly machine: string;
  /** Since when, in ms since the epoch. */
  readonly since: number;
  /** It belongs to a life that is over, and is never heard of again. */
  readonly isOver: () => boolean;
  /** Its process is stopped, so it has no turn. */
  readonly isHeld: () => boolean;
  readonly go: () => void;
}

/** More turns of the event loop than anything needs that comes to an end. */
const ENDLESS = 5000;

/** More than an engine has rounds, between which it lets the event loop go; most of them ask for nothing. */
export const ROUNDS_WITHOUT_CALLS = 60;

/**
 * Who goes next. All that the engine asks of the world outside waits here, so that the order in which it happens is
 * the run's to choose; between two choices everything runs that needs nobody's answer.
 */
export class Turns {
  #activity = 0;
  #waiting: Waiting[] = [];

  /** Something happened by itself. */
  noticed(): void {
    this.#activity += 1;
  }

  wait(waiting: Waiting): void {
    this.#activity += 1;
    this.#waiting.push(waiting);
  }

  get waiting(): readonly Waiting[] {
    return this.#waiting.filter((one) => !one.isHeld());
  }

  /** Lets this one go. */
  release(one: Waiting): void {
    this.#waiting = this.#waiting.filter((other) => other !== one);
    one.go();
  }

  /** Takes out what belongs to a life that is over. */
  takeOver(): readonly Waiting[] {
    const over = this.#waiting.filter((one) => one.isOver());
    this.#waiting = this.#waiting.filter((one) => !one.isOver());
    return over;
  }

  /** Resolves when nothing happens any more, for so many turns of the event loop, before somebody has a turn. */
  async quiet(turnsWithout = 3): Promise<void> {
    let still = 0;
    for (let turns = 0; still < turnsWithout; turns += 1) {
      if (turns === ENDLESS) throw new Error("the engine never comes to rest");
      const before = this.#activity;
      await turn();
      still = this.#activity === before ? still + 1 : 0;
    }
  }
}
