import { messageOf } from "../domain/kernel/errors.ts";
import type { Log } from "../domain/ports/log.ts";

/** Releases resources at shutdown in reverse order of acquisition, even if releasing one fails. */
export class ShutdownStack {
  readonly #log: Log;
  #acts: { readonly name: string; readonly act: () => unknown }[] = [];
  #running: Promise<void> | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  add(name: string, act: () => unknown): void {
    this.#acts.push({ name, act });
  }

  /** Runs once; a second call waits for the first. */
  run(): Promise<void> {
    this.#running ??= this.#all();
    return this.#running;
  }

  async #all(): Promise<void> {
    for (const { name, act } of this.#acts.toReversed()) {
      try {
        await act();
      } catch (error) {
        this.#log.error({ what: name, error: messageOf(error) }, "resource not released");
      }
    }
    this.#acts = [];
  }
}
