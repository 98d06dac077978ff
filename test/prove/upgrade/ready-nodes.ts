import { setTimeout as pause } from "node:timers/promises";
import type { FleetNode } from "../fleet/fleet-node.ts";

const LOOK_MS = 100;
/** A process that does not answer in this time is not asked for anything by a load balancer. */
const ANSWER_MS = 2_000;

/** Asks `/readyz` of each process, as a load balancer does, and notes how long none was ready. */
export class ReadyNodes {
  readonly #ready = new Set<FleetNode>();
  #lastReady = performance.now();
  #longestMs = 0;
  #over = false;
  #looking: Promise<void> = Promise.resolve();

  /** The longest time in which no process was ready, in milliseconds. */
  get longestGapMs(): number {
    return this.#longestMs;
  }

  has(node: FleetNode): boolean {
    return this.#ready.has(node);
  }

  async begin(nodes: readonly FleetNode[]): Promise<void> {
    await Promise.all(nodes.map((node) => this.#ask(node)));
    this.#lastReady = performance.now();
    this.#looking = this.#look(nodes);
  }

  async end(): Promise<void> {
    this.#over = true;
    await this.#looking;
  }

  async #look(nodes: readonly FleetNode[]): Promise<void> {
    while (!this.#over) {
      await Promise.all(nodes.map((node) => this.#ask(node)));
      const now = performance.now();
      // Two looks after one another, each with a ready process, are no gap.
      const gapMs = now - this.#lastReady - LOOK_MS;
      if (this.#ready.size > 0) this.#lastReady = now;
      else this.#longestMs = Math.max(this.#longestMs, gapMs);
      await pause(LOOK_MS);
    }
  }

  async #ask(node: FleetNode): Promise<void> {
    const { url } = node;
    const isReady = url !== null && (await answers(`${url}/readyz`));
    if (isReady) this.#ready.add(node);
    else this.#ready.delete(node);
  }
}

async function answers(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) }).then(
    async (answer) => {
      await answer.body?.cancel();
      return answer.ok;
    },
    () => false,
  );
}
