import { statSync } from "node:fs";
import SqliteDatabase from "better-sqlite3";
import { z } from "zod";
import type { SupportOptions, SupportRows } from "../database.ts";
import { supportRow } from "../sql/support-row.ts";
import { schemaOf } from "./schema-number.ts";

const named = z.array(
  z.object({
    name: z.string(),
    sql: z.string().nullable(),
    withoutRowid: z.union([z.literal(0), z.literal(1)]),
  }),
);
const cells = z.record(z.string(), z.union([z.string(), z.number(), z.null(), z.instanceof(Uint8Array)]));

/** Reads the schema as SQLite stores it, its number, and the newest rows. */
export function readSupportRows(path: string, options: SupportOptions): SupportRows {
  // Opening a pipe would never end.
  if (!statSync(path).isFile()) throw new Error("the database is not a file");
  const database = new SqliteDatabase(path, { readonly: true, fileMustExist: true, timeout: 5000 });
  try {
    const found = named.parse(
      database
        .prepare(
          `SELECT s.name, s.sql, l.wr AS withoutRowid FROM sqlite_schema s
           JOIN pragma_table_list l ON l.name = s.name AND l.schema = 'main'
           WHERE s.type = 'table' ORDER BY s.name`,
        )
        .all(),
    );
    const tables = found.map(({ name, withoutRowid }) => {
      // A table without a rowid has no order of arrival; such tables have few rows, all of them sums.
      const newestFirst = withoutRowid === 1 ? "" : "ORDER BY rowid DESC";
      const count = z.number().parse(database.prepare(`SELECT count(*) FROM "${name}"`).pluck().get());
      const rows = database.prepare(`SELECT * FROM "${name}" ${newestFirst} LIMIT ?`).all(options.newest);
      return [
        name,
        { count, rows: rows.map((row) => supportRow(cells.parse(row), options.bodies)) },
      ] as const;
    });
    return {
      schema: [
        `PRAGMA user_version = ${schemaOf(database)};`,
        ...found.flatMap(({ sql }) => (sql === null ? [] : [`${sql};`])),
      ],
      version: z.string().parse(database.prepare("SELECT sqlite_version()").pluck().get()),
      tables: new Map(tables),
    };
  } finally {
    database.close();
  }
}
