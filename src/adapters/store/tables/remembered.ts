import { byName, wrappedTables } from "../../../domain/kernel/wrapped-tables.ts";
import type { Tables } from "../../../domain/ports/store.ts";
import { type RememberedRecords, rememberedRecords } from "./remembered-records.ts";

/** Wraps the tables of one transaction: what most facts ask for several times is read once. */
export function remembered(tables: Tables): Tables {
  let records: RememberedRecords | undefined;
  return wrappedTables(
    tables,
    byName({
      records: (table) => {
        records = rememberedRecords(table);
        return records;
      },
      repositories: (table) => {
        const repository = once((id) => table.get(id));
        return {
          ...table,
          get: repository.read,
          put: (row) => {
            repository.forget();
            return table.put(row);
          },
        };
      },
      scopePauses: (table) => {
        const pauses = once((id) => table.over(id));
        return {
          ...table,
          over: pauses.read,
          add: (pause) => {
            pauses.forget();
            return table.add(pause);
          },
          lift: (...pause) => {
            pauses.forget();
            return table.lift(...pause);
          },
        };
      },
      retention: (table) => ({
        ...table,
        sweep: (...walk) => {
          records?.forget();
          return table.sweep(...walk);
        },
      }),
    }),
  );
}

/** Keeps the answers of a read by its number. */
function once<T>(read: (id: number) => Promise<T>) {
  const answers = new Map<number, Promise<T>>();
  return {
    read: (id: number): Promise<T> => {
      const answer = answers.get(id) ?? read(id);
      answers.set(id, answer);
      return answer;
    },
    forget: (): void => answers.clear(),
  };
}
