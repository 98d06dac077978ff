import { existsSync } from "node:fs";
import SqliteDatabase from "better-sqlite3";

export type Row = Readonly<Record<string, string | number | null>>;

/** Returns the rows of a statement, read beside a serving process or without one; none if there is no database yet. */
export function readRows(path: string, sql: string, values: readonly (string | number)[]): readonly Row[] {
  if (!existsSync(path)) return [];
  const database = new SqliteDatabase(path, { readonly: true, timeout: 5000 });
  try {
    return database.prepare<unknown[], Row>(sql).all(...values);
  } finally {
    database.close();
  }
}
