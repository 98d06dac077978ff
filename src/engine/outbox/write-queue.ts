import type { Log } from "../../domain/ports/log.ts";

/** What is learned of one agent while it talks, written to the database in the order in which it was learned. */
export class WriteQueue {
  #written: Promise<unknown> = Promise.resolve();
  readonly #log: Log;
  readonly #agent: string;

  constructor(log: Log, agent: string) {
    this.#log = log;
    this.#agent = agent;
  }

  /** Begins when all added before has ended. A failure is logged and holds up nothing. */
  add(work: () => Promise<unknown>): void {
    this.#written = this.#written.then(work).catch((error: unknown) => {
      this.#log.error({ error, agent: this.#agent }, "recording what an agent does failed");
    });
  }

  /** Resolves when everything added so far is in the database; never rejects. */
  async flush(): Promise<void> {
    await this.#written;
  }
}
