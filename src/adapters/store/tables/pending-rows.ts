import type { NewRunEvent, NewTransition } from "../../../domain/ports/audit-tables.ts";
import type { Tables } from "../../../domain/ports/store.ts";

/** Tables that neither read transitions and events of runs nor write what such a row is made of. */
const INDEPENDENT: ReadonlySet<string | symbol> = new Set<keyof Tables>([
  "effects",
  "repositories",
  "scopePauses",
  "blockers",
  "deliveries",
  "seenPulls",
  "wakes",
  "questions",
  "approvals",
  "verdicts",
]);

/** The tables of one transaction; call `write` before the commit. */
export interface PendingRows {
  readonly tables: Tables;
  /** Writes the rows that wait. */
  readonly write: () => Promise<void>;
}

/**
 * Collects the transitions and events of runs that a transaction adds, and inserts many with one statement: before the
 * commit, and before anything that could read them.
 */
export function pendingRows(tables: Tables): PendingRows {
  let transitions: NewTransition[] = [];
  let runEvents: NewRunEvent[] = [];
  const write = async (): Promise<void> => {
    const [moves, events] = [transitions, runEvents];
    transitions = [];
    runEvents = [];
    if (moves.length > 0) await tables.transitions.add(...moves);
    if (events.length > 0) await tables.runEvents.add(...events);
  };
  const afterwards = <T extends object>(table: T): T =>
    new Proxy(table, {
      get: (target, method) => {
        const call: unknown = Reflect.get(target, method);
        if (typeof call !== "function") return call;
        return async (...given: readonly unknown[]): Promise<unknown> => {
          await write();
          return Reflect.apply(call, target, given);
        };
      },
    });
  const own: Partial<Tables> = {
    records: {
      ...tables.records,
      // An event tells the turns that its agent had.
      count: (...counted) => write().then(() => tables.records.count(...counted)),
    },
    transitions: {
      ...afterwards(tables.transitions),
      add: async (...added) => {
        transitions.push(...added);
      },
    },
    runEvents: {
      ...afterwards(tables.runEvents),
      add: async (...added) => {
        runEvents.push(...added);
      },
    },
  };
  const waiting = new Map<string | symbol, unknown>(Object.entries(own));
  return {
    write,
    tables: new Proxy(tables, {
      get: (target, name) => {
        const known = waiting.get(name);
        if (known !== undefined) return known;
        const table: unknown = Reflect.get(target, name);
        if (typeof table !== "object" || table === null) return table;
        const made = INDEPENDENT.has(name) ? table : afterwards(table);
        waiting.set(name, made);
        return made;
      },
    }),
  };
}
