import { readFileSync } from "node:fs";

/** Where a value of a document's is kept with us: a column as `table.column`, or why it is kept nowhere. */
type Place = `${string}.${string}` | { readonly not: string };

export type Places = Readonly<Record<string, Place>>;

/** Shorter than this is no reason. */
const SHORTEST_REASON = 20;

/** The database as its migrations make it; a test of the store keeps this file. */
const SCHEMA = readFileSync(new URL("../fixtures/schema.sql", import.meta.url), "utf8");

/** Every column that there is, as `table.column`. */
const COLUMNS: ReadonlySet<string> = new Set(
  SCHEMA.split(/^CREATE TABLE /m)
    .slice(1)
    .flatMap((text) => {
      const table = /^"?(\w+)/.exec(text)?.[1] ?? "";
      return [...(text.split(") STRICT")[0]?.matchAll(/^ {2}([a-z_]+) [A-Z]/gm) ?? [])].map(
        (match) => `${table}.${match[1]}`,
      );
    }),
);

/** Fields that have neither their column nor a reason why there is none. */
export function misplaced(places: Places): readonly string[] {
  return Object.entries(places).flatMap(([field, place]) =>
    (typeof place === "string" ? COLUMNS.has(place) : place.not.length >= SHORTEST_REASON)
      ? []
      : [`${field}: ${JSON.stringify(place)}`],
  );
}
