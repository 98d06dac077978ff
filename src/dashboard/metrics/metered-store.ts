import type { Store } from "../../core/ports/store.ts";
import type { Instruments } from "./instruments.ts";
import { emptyMemory, meteredTables } from "./metered-tables.ts";

/** The same store, with all that goes through it counted; of a transaction only once it is committed. */
export function meteredStore<S extends Store>(store: S, instruments: Instruments): S {
  const memory = emptyMemory();
  return {
    ...meteredTables(store, { instruments, memory, later: (count) => count() }),
    async transaction(work) {
      const counts: (() => void)[] = [];
      const result = await store.transaction((tables) =>
        work(meteredTables(tables, { instruments, memory, later: (count) => counts.push(count) })),
      );
      for (const count of counts) count();
      return result;
    },
  };
}
