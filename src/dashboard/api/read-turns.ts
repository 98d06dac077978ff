/**
 * Event-loop rounds that a read waits: enough for a request that has already arrived, too few to be delayed by a slow
 * one.
 */
const MOST_ROUNDS = 8;

/**
 * Serializes reads of many rows. A database in this process blocks the event loop, so with turns webhooks and health
 * checks run between any two reads, whatever the number of readers. While `isUrgent`, the next read waits a few more
 * rounds: answering a webhook takes several rounds, and without the wait a read would run between any two of them.
 */
export class ReadTurns {
  #last: Promise<unknown> = Promise.resolve();
  readonly #isUrgent: () => boolean;

  constructor(isUrgent = () => false) {
    this.#isUrgent = isUrgent;
  }

  take<T>(read: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(() => this.giveWay()).then(read);
    this.#last = turn.catch(() => {});
    return turn;
  }

  /** Gives way between two parts of a long read. */
  async giveWay(): Promise<void> {
    await breathe();
    for (let round = 1; round < MOST_ROUNDS && this.#isUrgent(); round += 1) await breathe();
  }
}

/** Lets the event loop process everything else that is ready. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
