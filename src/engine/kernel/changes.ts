/** Tells those who wait that something was committed. They look for themselves whether it concerns them. */
export class Changes {
  #waiting = Promise.withResolvers<void>();

  /** Resolves at the first change after this call. Taken before a look, it misses nothing that happens during it. */
  next(): Promise<void> {
    return this.#waiting.promise;
  }

  tell(): void {
    const { resolve } = this.#waiting;
    this.#waiting = Promise.withResolvers<void>();
    resolve();
  }
}
