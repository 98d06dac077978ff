/**
 * Reads of many rows take turns: SQLite answers at once and holds the event loop meanwhile, so webhooks and health checks
 * get through between any two reads, however many readers there are.
 */
export class ReadTurns {
  #last: Promise<unknown> = Promise.resolve();

  take<T>(read: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(breathe).then(read);
    this.#last = turn.catch(() => {});
    return turn;
  }
}

/** Lets the event loop do whatever else is ready. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
