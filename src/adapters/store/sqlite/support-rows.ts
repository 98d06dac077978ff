import { statSync } from "node:fs";
import SqliteDatabase from "better-sqlite3";
import { z } from "zod";
import type { SupportOptions, SupportRows } from "../database.ts";
import { schemaOf } from "./schema-number.ts";

/**
 * Text columns that say what happened and hold no long text of a person, a model or GitHub. Numbers of every
 * column are included; other texts only if bodies are requested.
 */
const TOLD: ReadonlySet<string> = new Set(
  "action actor breaker category change delivery error event from_state guid key kind lane machine mode model name note owner phase reason role rule runtime sleep_reason state status to_state tool type".split(
    " ",
  ),
);

const named = z.array(
  z.object({
    name: z.string(),
    sql: z.string().nullable(),
    withoutRowid: z.union([z.literal(0), z.literal(1)]),
  }),
);
const cells = z.record(z.string(), z.union([z.string(), z.number(), z.null(), z.instanceof(Uint8Array)]));
type Row = Readonly<Record<string, unknown>>;

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
      return [name, { count, rows: rows.map((row) => told(cells.parse(row), options.bodies)) }] as const;
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

/** Returns a row for the bundle; a text that is left out is replaced by its length. */
function told(row: z.infer<typeof cells>, bodies: boolean): Row {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => {
      if (value === null || typeof value === "number") return [column, value];
      if (typeof value === "string" && (bodies || TOLD.has(column))) return [column, value];
      return [column, `(${value.length} long)`];
    }),
  );
}
