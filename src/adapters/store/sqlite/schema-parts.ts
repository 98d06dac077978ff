import SqliteDatabase, { type Database } from "better-sqlite3";
import { migrations } from "./migrations/migrations.ts";

/** Tables first, so that a fault names a table and not its columns. */
const PARTS = `SELECT type || ' ' || name FROM sqlite_schema
    WHERE type IN ('table', 'index', 'trigger', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
  UNION ALL
  SELECT 'column ' || s.name || '.' || c.name FROM sqlite_schema s JOIN pragma_table_xinfo(s.name) c
    WHERE s.type = 'table'`;

const partsOf = (database: Database): readonly string[] => database.prepare(PARTS).pluck().all().map(String);

/** Caches the parts of each schema. */
const known = new Map<number, readonly string[]>();

function partsOfSchema(schema: number): readonly string[] {
  const before = known.get(schema);
  if (before !== undefined) return before;
  const database = new SqliteDatabase(":memory:");
  try {
    for (const { sql } of migrations.slice(0, schema)) database.exec(sql);
    const parts = partsOf(database);
    known.set(schema, parts);
    return parts;
  } finally {
    database.close();
  }
}

/** Returns what the database lacks of the tables, columns and indexes of its schema, as `table usage`. */
export function lackingParts(database: Database, schema: number): readonly string[] {
  const found = new Set(partsOf(database));
  return partsOfSchema(schema).filter((part) => !found.has(part));
}
