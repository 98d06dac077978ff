import type pg from "pg";
import { z } from "zod";
import type { SupportOptions, SupportRows } from "../database.ts";
import { supportRow } from "../sql/support-row.ts";
import { arrivalColumn } from "./dialect.ts";

const columns = z.array(z.object({ table: z.string(), column: z.string(), type: z.string() }));
const cells = z.record(z.string(), z.union([z.string(), z.number(), z.null(), z.instanceof(Uint8Array)]));

const COLUMNS = `SELECT table_name AS "table", column_name AS "column", data_type AS type
  FROM information_schema.columns WHERE table_schema = current_schema() ORDER BY table_name, ordinal_position`;

/** Reads the tables with their columns, and the newest rows, as they are at one moment. */
export async function readSupportRows(
  client: Pick<pg.ClientBase, "query">,
  options: SupportOptions,
): Promise<SupportRows> {
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  try {
    const found = Map.groupBy(columns.parse((await client.query(COLUMNS)).rows), ({ table }) => table);
    const tables: SupportRows["tables"] extends ReadonlyMap<infer K, infer V> ? Map<K, V> : never = new Map();
    for (const [table, fields] of found) {
      const arrival = arrivalColumn(table);
      const newestFirst = fields.some(({ column }) => column === arrival) ? `ORDER BY "${arrival}" DESC` : "";
      const { rows: counted } = await client.query(`SELECT count(*) AS count FROM "${table}"`);
      const { rows } = await client.query(`SELECT * FROM "${table}" ${newestFirst} LIMIT $1`, [
        options.newest,
      ]);
      tables.set(table, {
        count: z.coerce.number().parse(counted[0]?.count),
        rows: rows.map((row) => supportRow(cells.parse(told(row)), options.bodies)),
      });
    }
    const { rows } = await client.query("SHOW server_version");
    return {
      schema: [...found].map(
        ([table, fields]) =>
          `CREATE TABLE ${table} (${fields.map(({ column, type }) => `${column} ${type}`).join(", ")});`,
      ),
      version: z.string().parse(rows[0]?.server_version),
      tables,
    };
  } finally {
    await client.query("ROLLBACK").catch(() => {});
  }
}

/** Moments of the server are told as texts. */
function told(row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]),
  );
}
