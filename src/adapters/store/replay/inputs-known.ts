import { deflateRawSync, inflateRawSync } from "node:zlib";
import { type Kysely, sql } from "kysely";
import { z } from "zod";
import { dialect } from "../sql/dialect.ts";
import type { Schema } from "../sql/schema.ts";
import { type Around, MOST_ROWS, replayInputIds, replayInputParts } from "./input-rows.ts";

/** Characters before packing. Larger records are dropped, since a record must not outgrow what it records. */
const MOST_KNOWN = 500_000;

/** For each table, the names of its columns, then a list of values for each row. */
const knownRows = z.record(
  z.string(),
  z.strictObject({
    columns: z.array(z.string()),
    rows: z.array(z.array(z.union([z.string(), z.number(), z.null()]))),
  }),
);
export type KnownRows = z.infer<typeof knownRows>;

/**
 * Returns, packed, the rows that a decision about an issue depends on; null where there are too many. One
 * statement builds the text in the database, because every deciding transaction runs this and reading objects
 * takes longer.
 */
export async function knownAtInput(db: Kysely<Schema>, around: Around): Promise<Uint8Array | null> {
  const plain = db.withoutPlugins();
  const columns = await columnsOf(plain);
  const tables = replayInputParts(around).map(({ table, rows }) => ({
    table,
    rows,
    columns: columns.get(table) ?? [],
  }));
  const { rows } = await sql<{
    text: string;
    most: number;
  }>`${dialect.tablesAsText(replayInputIds(around), tables)}`.execute(plain);
  const { text, most } = rows[0] ?? { text: "{}", most: 0 };
  return text.length > MOST_KNOWN || most > MOST_ROWS ? null : deflateRawSync(text, { level: 1 });
}

/** Unpacks the rows. Throws if the content has another form. */
export function unpackedRows(known: Uint8Array): KnownRows {
  return knownRows.parse(JSON.parse(inflateRawSync(known).toString()));
}

/** The columns by table of each dialect, read once: all open databases of one have the same schema. */
const known = new Map<unknown, ReadonlyMap<string, readonly string[]>>();

async function columnsOf(plain: Kysely<Schema>): Promise<ReadonlyMap<string, readonly string[]>> {
  const { constructor } = plain.getExecutor().adapter;
  const before = known.get(constructor);
  if (before !== undefined) return before;
  const { rows } = await sql<{
    readonly name: string;
    readonly column: string;
  }>`${dialect.columns()}`.execute(plain);
  const columns = new Map(
    [...Map.groupBy(rows, ({ name }) => name)].map(([name, all]) => [name, all.map(({ column }) => column)]),
  );
  known.set(constructor, columns);
  return columns;
}
