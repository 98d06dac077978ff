/**
 * A failure to play instead of (or after) the true answer of an HTTP request.
 * `reset-before` and `status` act before anything is done; `reset-after`, `status-after` and `silent-after` after it was
 * carried out. With `silent-after` no answer ever comes, until the client gives up.
 */
export interface Fault {
  readonly method?: string;
  /** Tested against the path without `/api/v3` and without the query. */
  readonly path: RegExp;
  /** How many requests it hits; 1 when absent. */
  readonly times?: number;
  readonly kind: "status" | "status-after" | "reset-before" | "reset-after" | "silent-after";
  /** For the two status kinds; 500 when absent. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly message?: string;
}

export interface Faults {
  readonly add: (fault: Fault) => void;
  readonly clear: () => void;
  /** Faults that have not been hit as often as they should. */
  readonly left: () => number;
  /** Takes the first fault that fits, and counts it down. */
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
