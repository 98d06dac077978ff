import type { Log } from "../../domain/ports/log.ts";

/** Writes to the database, in order, what is observed of one agent during an exchange. */
export class WriteQueue {
  #written: Promise<unknown> = Promise.resolve();
  readonly #log: Log;
  readonly #agent: string;

  constructor(log: Log, agent: string) {
    this.#log = log;
    this.#agent = agent;
  }

  /** Adds work that begins when all earlier work has ended. A failure is logged and delays nothing. */
  add(work: () => Promise<unknown>): void {
    this.#written = this.#written.then(work).catch((error: unknown) => {
      this.#log.error({ error, agent: this.#agent }, "agent's events not recorded");
    });
  }

  /** Resolves when everything added so far is in the database; never rejects. */
  async flush(): Promise<void> {
    await this.#written;
  }
}
