import { setTimeout as pause } from "node:timers/promises";
import { storyOfMove } from "../domain/reporting/story.ts";
import type { ApiClient, ApiTransition } from "./api-client.ts";

const LOOK_MS = 200;

/** Prints what happens as it happens: seconds since the start, issue, role, what it does, and why. */
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
      const told = line(row);
      if (told !== null) this.say(told);
    }
  }

  #elapsed(): string {
    return `${this.seconds().toFixed(1).padStart(6)} s`;
  }
}

/** Returns null for a move that says nothing beside the others: a new agent starts at once, and its reviewer approves the work. */
function line(row: ApiTransition): string | null {
  if (row.machine !== "agent" || row.to === "CREATED") return null;
  const story = storyOfMove({ ...row, machine: "agent" });
  if (story === null) return null;
  const why = story.why === null ? "" : `: ${story.why}`;
  return `#${row.issue} ${(row.role ?? row.machine).padEnd(9)} ${story.what}${why}`;
}
