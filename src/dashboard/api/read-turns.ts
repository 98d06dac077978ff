/** Rounds of the event loop that a read gives way: enough for a request that has arrived, too few to be held up by a slow one. */
const MOST_ROUNDS = 8;

/**
 * Reads of many rows take turns: SQLite answers at once and holds the event loop meanwhile, so webhooks and health checks
 * get through between any two reads, however many readers there are. While `isUrgent`, the next read waits a few rounds
 * more: answering a webhook takes several rounds of the event loop, and without this a read would fall between any two.
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

  /** Between two parts of a long read. */
  async giveWay(): Promise<void> {
    await breathe();
    for (let round = 1; round < MOST_ROUNDS && this.#isUrgent(); round += 1) await breathe();
  }
}

/** Lets the event loop do whatever else is ready. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
