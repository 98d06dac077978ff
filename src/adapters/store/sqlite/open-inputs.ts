import SqliteDatabase, { type Database } from "better-sqlite3";
import { z } from "zod";
import { messageOf, OutsideError } from "../../../domain/kernel/errors.ts";
import type { OpenStore } from "../database.ts";
import { type KnownRows, unpackedRows } from "../replay/inputs-known.ts";
import { openDatabase } from "./database.ts";
import { migrate } from "./migrate.ts";
import { migrations } from "./migrations/migrations.ts";
import { storeOn } from "./open.ts";

const names = z.array(z.string());

/** Caches an empty database of this version's schema, because a replay opens hundreds. */
let empty: Buffer | undefined;

function emptyDatabase(): Database {
  if (empty === undefined) {
    const made = openDatabase(":memory:");
    migrate(made, migrations);
    empty = made.serialize();
    made.close();
  }
  return new SqliteDatabase(empty);
}

/**
 * Opens a store in memory, of this version's schema, with the rows that a delivery was decided on. Writes no
 * file. Throws `OutsideError` "other_form" for rows of another version that do not fit.
 */
export function openReplayInputs(known: Uint8Array): OpenStore {
  const database = emptyDatabase();
  try {
    // Rows reference others that the decision did not need.
    database.pragma("foreign_keys = OFF");
    database.transaction(() => fill(database, unpackedRows(known))).immediate();
    return storeOn(database);
  } catch (error) {
    database.close();
    throw new OutsideError("other_form", `what was kept is of another form: ${messageOf(error)}`, {
      consequence: "stop",
      cause: error,
    });
  }
}

/**
 * Inserts rows without columns that no longer exist; SQLite refuses a row that lacks a required new column.
 */
function fill(database: Database, known: KnownRows): void {
  for (const [table, { columns, rows }] of Object.entries(known)) {
    if (rows.length === 0) continue;
    const present = names.parse(database.prepare("SELECT name FROM pragma_table_info(?)").pluck().all(table));
    const kept = columns.filter((column) => present.includes(column));
    const insert = database.prepare(
      `INSERT INTO "${table}" (${kept.map((column) => `"${column}"`).join(", ")}) VALUES (${kept.map(() => "?").join(", ")})`,
    );
    const places = kept.map((column) => columns.indexOf(column));
    for (const row of rows) insert.run(places.map((place) => row[place]));
  }
}
