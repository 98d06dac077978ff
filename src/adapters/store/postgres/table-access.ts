import type pg from "pg";
import { z } from "zod";
import type { Row, TableReader, TableWriter, Value } from "../copy/copy-tables.ts";
import { withoutNul } from "./connect.ts";
import { arrivalColumn } from "./dialect.ts";

type Client = Pick<pg.ClientBase, "query">;

/** Rows at a time; some hold a whole webhook. */
const AT_ONCE = 100;
/** Tables that only this kind of database has. */
const OWN = ["flotilla_migration", "server"];

const columns = z.array(z.object({ table: z.string(), column: z.string() }));
const references = z.array(z.object({ table: z.string(), to: z.string() }));
const COLUMNS = `SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
  WHERE table_schema = current_schema() ORDER BY table_name, ordinal_position`;
const REFERENCES = `SELECT conrelid::regclass::text AS "table", confrelid::regclass::text AS "to" FROM pg_constraint
  WHERE contype = 'f' AND conrelid != confrelid AND connamespace = current_schema()::regnamespace`;
const IDENTITIES = `SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
  WHERE table_schema = current_schema() AND identity_generation = 'BY DEFAULT'`;

/** Returns the columns of each table; a table comes behind those that it refers to. */
async function columnsIn(client: Client): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = columns.parse((await client.query(COLUMNS)).rows).filter(({ table }) => !OWN.includes(table));
  const refers = references.parse((await client.query(REFERENCES)).rows);
  const waiting = Map.groupBy(found, ({ table }) => table);
  const ordered = new Map<string, readonly string[]>();
  while (waiting.size > 0) {
    const ready = [...waiting].filter(
      ([table]) => !refers.some((one) => one.table === table && waiting.has(one.to)),
    );
    if (ready.length === 0) throw new Error("tables refer to each other in a circle");
    for (const [table, of] of ready) {
      ordered.set(
        table,
        of.map(({ column }) => column),
      );
      waiting.delete(table);
    }
  }
  return ordered;
}

/** Returns a reader of the database; the caller holds a transaction that sees one moment. */
export async function tableReader(client: Client): Promise<TableReader> {
  const { rows: last } = await client.query("SELECT last_id('run_event') AS id");
  const found = await columnsIn(client);
  return {
    columns: found,
    lastEvent: z.number().parse(last[0]?.id ?? 0),
    rows: async function* (table, names) {
      const arrival = arrivalColumn(table);
      const order = found.get(table)?.includes(arrival) === true ? `ORDER BY "${arrival}"` : "";
      await client.query(
        `DECLARE copied NO SCROLL CURSOR FOR SELECT ${quoted(names)} FROM "${table}" ${order}`,
      );
      for (;;) {
        const { rows } = await client.query<Row>({
          text: `FETCH ${AT_ONCE} FROM copied`,
          rowMode: "array",
        });
        if (rows.length === 0) break;
        yield rows;
      }
      await client.query("CLOSE copied");
    },
  };
}

/** Returns a writer into the database; the caller holds a transaction. */
export async function tableWriter(client: Client): Promise<TableWriter> {
  return {
    columns: await columnsIn(client),
    empty: async (table) => {
      await client.query(`DELETE FROM "${table}"`);
    },
    add: async (table, names, rows) => {
      const places = rows.map(
        (_, row) => `(${names.map((__, column) => `$${row * names.length + column + 1}`).join()})`,
      );
      const values = rows.flat().map(clean);
      await client.query(`INSERT INTO "${table}" (${quoted(names)}) VALUES ${places.join()}`, values);
    },
  };
}

/** Lets the next row of each table follow those that were copied. */
export async function numberOn(client: Client, lastEvent: number): Promise<void> {
  for (const { table, column } of columns.parse((await client.query(IDENTITIES)).rows)) {
    const least = table === "run_event" ? lastEvent : 0;
    await client.query(
      `SELECT setval(pg_get_serial_sequence('"${table}"', '${column}'), last, true)
       FROM (SELECT greatest(max("${column}"), ${least}) AS last FROM "${table}") AS rows WHERE last > 0`,
    );
  }
}

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join();
const clean = (value: Value): Value => (typeof value === "string" ? withoutNul(value) : value);
