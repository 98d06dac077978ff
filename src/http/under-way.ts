/** Counts work in progress, so that other work can give way to it. */
export class InFlightCount {
  #count = 0;

  /** Returns whether any work is in progress. */
  readonly any = (): boolean => this.#count > 0;

  /** Counts the work from the call until its promise settles. */
  readonly during = async <T>(work: () => Promise<T>): Promise<T> => {
    this.#count += 1;
    try {
      return await work();
    } finally {
      this.#count -= 1;
    }
  };
}
