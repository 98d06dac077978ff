import type { Tables } from "../../../domain/ports/store.ts";
import { rememberedRecords } from "./remembered-records.ts";

/** Wraps the tables of one transaction: what most facts ask for several times is read once. */
export function remembered(tables: Tables): Tables {
  const records = rememberedRecords(tables.records);
  const { repositories, scopePauses, retention } = tables;
  const repository = once((id) => repositories.get(id));
  const pauses = once((id) => scopePauses.over(id));
  return {
    ...tables,
    records,
    repositories: {
      ...repositories,
      get: repository.read,
      put: (row) => {
        repository.forget();
        return repositories.put(row);
      },
    },
    scopePauses: {
      ...scopePauses,
      over: pauses.read,
      add: (pause) => {
        pauses.forget();
        return scopePauses.add(pause);
      },
      lift: (...pause) => {
        pauses.forget();
        return scopePauses.lift(...pause);
      },
    },
    retention: {
      ...retention,
      sweep: (...walk) => {
        records.forget();
        return retention.sweep(...walk);
      },
    },
  };
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
