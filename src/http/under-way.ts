/** Counts work that is not done yet, so that other work can let it go first. */
export class InFlightCount {
  #count = 0;

  /** Whether any is not done yet. */
  readonly any = (): boolean => this.#count > 0;

  /** Counts from the call until what it promises is settled. */
  readonly during = async <T>(work: () => Promise<T>): Promise<T> => {
    this.#count += 1;
    try {
      return await work();
    } finally {
      this.#count -= 1;
    }
  };
}
