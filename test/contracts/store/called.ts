import type { Store, Tables } from "../../../src/domain/ports/store.ts";

/** Notes which methods of the port's tables tests call, as `table.method`. */
export class CalledMethods {
  readonly #all = new Set<string>();
  readonly #called = new Set<string>();

  /** The methods of every store so far that no test has called. */
  uncalled(): readonly string[] {
    return [...this.#all].filter((method) => !this.#called.has(method));
  }

  /** The same store, whose calls are noted, also those within transactions. */
  of(store: Store): Store {
    // What the port does not have, `databaseContract` tests.
    const { changes: _, ...tables } = { changes: undefined, ...store };
    for (const [table, methods] of Object.entries(tables))
      for (const method of Object.keys(methods)) this.#all.add(`${table}.${method}`);
    return {
      ...this.#noted(store),
      close: () => store.close(),
      transaction: (work) => store.transaction((inside) => work(this.#noted(inside))),
    };
  }

  #noted<T extends Tables>(tables: T): T {
    const noted = Object.entries(tables).map(([table, methods]: [string, unknown]) => [
      table,
      typeof methods === "object" && methods !== null ? this.#notedTable(table, methods) : methods,
    ]);
    return { ...tables, ...Object.fromEntries(noted) };
  }

  #notedTable(table: string, methods: object): object {
    return new Proxy(methods, {
      get: (target, method, receiver) => {
        this.#called.add(`${table}.${String(method)}`);
        const value: unknown = Reflect.get(target, method, receiver);
        return value;
      },
    });
  }
}
