import type { Journey } from "./journey.ts";

/** Polls a process's health. */
export interface HealthWatch {
  /** Runs work that ends the process; a missing answer is not a fault meanwhile. */
  away<T>(work: () => Promise<T>): Promise<T>;
  /** Stops polling. Returns the number of good answers, and all other results. */
  stop(): Promise<{ readonly answered: number; readonly faults: readonly string[] }>;
}

/** Polls `/healthz` until it is stopped. */
export function watchHealth({ served }: Pick<Journey, "served">): HealthWatch {
  const faults: string[] = [];
  let [answered, away] = [0, 0];
  const over = new AbortController();
  const asking = (async () => {
    while (!over.signal.aborted) {
      const before = away;
      const said = await fetch(`${served().url}/healthz`).then(
        ({ status }) => String(status),
        (error: unknown) => String(error),
      );
      if (said === "200") answered += 1;
      // An odd number: the process was away when the request was sent, or has gone since.
      else if (before === away && away % 2 === 0) faults.push(said);
      await new Promise((resolve) => {
        setTimeout(resolve, 50);
      });
    }
  })();
  return {
    async away(work) {
      away += 1;
      try {
        return await work();
      } finally {
        away += 1;
      }
    },
    async stop() {
      over.abort();
      await asking;
      return { answered, faults };
    },
  };
}
