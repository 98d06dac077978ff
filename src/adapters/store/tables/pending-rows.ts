import { byName, wrappedTables } from "../../../domain/kernel/wrapped-tables.ts";
import type { NewRunEvent, NewTransition } from "../../../domain/ports/audit-tables.ts";
import type { Tables } from "../../../domain/ports/store.ts";

/** Tables that neither read transitions and events of runs nor write what such a row is made of. */
const INDEPENDENT: ReadonlySet<keyof Tables> = new Set([
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
  const own = byName({
    records: (table) => ({
      ...table,
      // An event tells the turns that its agent had.
      count: (...counted) => write().then(() => table.count(...counted)),
    }),
    transitions: (table) => ({
      ...afterwards(table),
      add: async (...added) => {
        transitions.push(...added);
      },
    }),
    runEvents: (table) => ({
      ...afterwards(table),
      add: async (...added) => {
        runEvents.push(...added);
      },
    }),
  });
  return {
    write,
    tables: wrappedTables(tables, (name, table) => {
      const ours = own(name, table);
      return ours === table && !INDEPENDENT.has(name) ? afterwards(table) : ours;
    }),
  };
}
