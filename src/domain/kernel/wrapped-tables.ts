import type { Tables } from "../ports/store.ts";

/** Returns the table to use instead of this one, or this one. */
export type WrapTable = <N extends keyof Tables>(name: N, table: Tables[N]) => Tables[N];

/** By name, what is used instead of some tables. */
export type TableWrappers = { readonly [N in keyof Tables]?: (table: Tables[N]) => Tables[N] };

/** Returns the tables, each wrapped when it is first used: a transaction uses few of them, and there are many. */
export function wrappedTables<T extends Tables>(tables: T, wrap: WrapTable): T {
  const used = new Map<string | symbol, unknown>();
  return new Proxy(tables, {
    get(target, name) {
      const known = used.get(name);
      if (known !== undefined) return known;
      const table: unknown = isTable(target, name) ? wrap(name, target[name]) : Reflect.get(target, name);
      used.set(name, table);
      return table;
    },
  });
}

/** Wraps only the tables named. */
export const byName =
  (wrappers: TableWrappers): WrapTable =>
  (name, table) =>
    wrappers[name]?.(table) ?? table;

function isTable(tables: Tables, name: string | symbol): name is keyof Tables {
  return Object.hasOwn(tables, name);
}
