/**
 * Notifies waiting code that something was committed; the waiting code itself checks whether the change
 * concerns it.
 */
export class ChangeSignal {
  #waiting = Promise.withResolvers<void>();

  /**
   * Resolves at the first change after this call. Call it before a read, so that no change during the read is
   * missed.
   */
  next(): Promise<void> {
    return this.#waiting.promise;
  }

  tell(): void {
    const { resolve } = this.#waiting;
    this.#waiting = Promise.withResolvers<void>();
    resolve();
  }
}
