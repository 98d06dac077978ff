import { setTimeout as pause } from "node:timers/promises";
import type { ApiClient, ApiTransition } from "./api-client.ts";

const LOOK_MS = 200;

/** Prints transitions as they happen: seconds since the start, issue, actor, old state, new state, reason. */
export class Timeline {
  readonly #print: (line: string) => void;
  readonly #began = Date.now();
  #seen = 0;
  #over = false;
  #watching: Promise<void> = Promise.resolve();

  constructor(print: (line: string) => void) {
    this.#print = print;
  }

  say(what: string): void {
    this.#print(`${this.#elapsed()}  ${what}`);
  }

  /** Follows the agents' transitions until `end`. */
  follow(api: ApiClient): void {
    this.#watching = this.#watch(api);
  }

  async end(api: ApiClient): Promise<void> {
    this.#over = true;
    await this.#watching;
    await this.#news(api);
  }

  seconds(): number {
    return (Date.now() - this.#began) / 1000;
  }

  async #watch(api: ApiClient): Promise<void> {
    while (!this.#over) {
      // A failed request is ignored, because the process may be restarting.
      await this.#news(api).catch(() => undefined);
      await pause(LOOK_MS);
    }
  }

  async #news(api: ApiClient): Promise<void> {
    const rows = await api.transitions(this.#seen);
    for (const row of rows) {
      this.#seen = Math.max(this.#seen, row.id);
      if (row.machine === "agent" && row.from !== row.to) this.say(line(row));
    }
  }

  #elapsed(): string {
    return `${this.seconds().toFixed(1).padStart(6)} s`;
  }
}

function line(row: ApiTransition): string {
  const why = row.reason === null ? "" : `  ${row.reason.split("\n")[0] ?? ""}`;
  return `#${row.issue} ${(row.role ?? row.machine).padEnd(9)} ${row.from.padEnd(9)} → ${row.to.padEnd(9)}${why}`;
}
