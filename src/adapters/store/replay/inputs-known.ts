import { deflateRawSync, inflateRawSync } from "node:zlib";
import { type Kysely, type RawBuilder, sql } from "kysely";
import { z } from "zod";
import type { Schema } from "../tables/schema.ts";
import { type Around, MOST_ROWS, replayInputIds, replayInputParts } from "./input-rows.ts";

/** Characters before they are packed. What is larger is not kept: a record must not grow faster than what it is of. */
const MOST_KNOWN = 500_000;

/** By table the names of its columns, then a list of values for each row. */
const knownRows = z.record(
  z.string(),
  z.strictObject({
    columns: z.array(z.string()),
    rows: z.array(z.array(z.union([z.string(), z.number(), z.null()]))),
  }),
);
export type KnownRows = z.infer<typeof knownRows>;

/**
 * The rows that a decision about an issue rests on, packed; null where they are too many. SQLite makes the text, in one
 * statement: this is done within every transaction that decides, and reading the rows into objects takes longer.
 */
export async function knownAtInput(db: Kysely<Schema>, around: Around): Promise<Uint8Array | null> {
  const plain = db.withoutPlugins();
  const columns = await columnsOf(plain);
  const tables = replayInputParts(around).map(({ table, rows }) => {
    const { names, values } = columns.get(table) ?? NONE;
    return sql`${sql.lit(table)}, json_object('columns', ${names}, 'rows',
      json((select json_group_array(${values}) from (${rows}))))`;
  });
  const { rows } = await sql<{ text: string; most: number }>`
    with ${replayInputIds(around)}, known (text) as materialized (select json_object(${sql.join(tables)}))
    select text, (select max(json_array_length(value, '$.rows')) from json_each(text)) as most from known`.execute(
    plain,
  );
  const { text, most } = rows[0] ?? { text: "{}", most: 0 };
  return text.length > MOST_KNOWN || most > MOST_ROWS ? null : deflateRawSync(text, { level: 1 });
}

/** Throws for what is not of this form. */
export function unpackedRows(known: Uint8Array): KnownRows {
  return knownRows.parse(JSON.parse(inflateRawSync(known).toString()));
}

/** The columns of a table, made once: to make them again for each delivery takes longer than to read the rows. */
interface Columns {
  readonly names: RawBuilder<unknown>;
  readonly values: RawBuilder<unknown>;
}

function columnsIn(names: readonly string[]): Columns {
  const list = (quote: string) => names.map((name) => `${quote}${name}${quote}`).join(", ");
  return { names: sql.raw(`json_array(${list("'")})`), values: sql.raw(`json_array(${list('"')})`) };
}
const NONE = columnsIn([]);

/** All databases that are open are of one form. */
let known: ReadonlyMap<string, Columns> | undefined;

async function columnsOf(plain: Kysely<Schema>): Promise<ReadonlyMap<string, Columns>> {
  if (known !== undefined) return known;
  const { rows } = await sql<{ readonly name: string; readonly column: string }>`
    select tables.name, columns.name as "column" from sqlite_schema as tables
    join pragma_table_info(tables.name) as columns where tables.type = 'table'
    order by tables.name, columns.cid`.execute(plain);
  known = new Map(
    [...Map.groupBy(rows, ({ name }) => name)].map(([name, all]) => [
      name,
      columnsIn(all.map(({ column }) => column)),
    ]),
  );
  return known;
}
