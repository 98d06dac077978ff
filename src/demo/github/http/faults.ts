/**
 * A failure to simulate in place of the real answer. `reset-before` and `status` act before the request is carried out;
 * `reset-after`, `status-after` and `silent-after` act after it. With `silent-after` no answer is sent until the client
 * gives up.
 */
export interface Fault {
  readonly method?: string;
  /** Matched against the path without `/api/v3` and without the query. */
  readonly path: RegExp;
  /** Number of requests that it hits. Default: 1. */
  readonly times?: number;
  readonly kind: "status" | "status-after" | "reset-before" | "reset-after" | "silent-after";
  /** For the two status kinds. Default: 500. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly message?: string;
}

export interface Faults {
  readonly add: (fault: Fault) => void;
  readonly clear: () => void;
  /** Returns the number of faults that are still to be hit. */
  readonly left: () => number;
  /** Takes the first fault that matches, and counts it down. */
  readonly take: (method: string, path: string) => Fault | undefined;
}

export function createFaults(): Faults {
  let waiting: { fault: Fault; left: number }[] = [];
  return {
    add: (fault) => void waiting.push({ fault, left: fault.times ?? 1 }),
    clear: () => {
      waiting = [];
    },
    left: () => waiting.length,
    take: (method, path) => {
      const found = waiting.find(
        ({ fault }) => (fault.method === undefined || fault.method === method) && fault.path.test(path),
      );
      if (found === undefined) return undefined;
      found.left -= 1;
      if (found.left === 0) waiting = waiting.filter((entry) => entry !== found);
      return found.fault;
    },
  };
}
