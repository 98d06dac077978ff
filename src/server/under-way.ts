/** Counts the requests of a route that are not answered yet, so that other work can let them go first. */
export class UnderWay {
  #count = 0;

  /** Whether any request is not answered yet. */
  readonly any = (): boolean => this.#count > 0;

  counted<Asked>(route: (asked: Asked) => Promise<void> | null): (asked: Asked) => Promise<void> | null {
    return (asked) => {
      const answered = route(asked);
      if (answered === null) return null;
      this.#count += 1;
      return answered.finally(() => {
        this.#count -= 1;
      });
    };
  }
}
