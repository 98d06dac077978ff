import SqliteDatabase, { type Database } from "better-sqlite3";
import { OutsideError } from "../../../domain/kernel/errors.ts";
import { copyTables, type TableReader } from "../copy/copy-tables.ts";
import { markAsCopy } from "./backup.ts";
import { openDatabase } from "./database.ts";
import { migrate } from "./migrate.ts";
import { migrations } from "./migrations/migrations.ts";
import { columnsIn, tableReader, tableWriter } from "./table-access.ts";

/** Gives `work` all rows of the database at `path` as they are now. */
export async function snapshotOf<T>(path: string, work: (rows: TableReader) => Promise<T>): Promise<T> {
  const database = new SqliteDatabase(path, { readonly: true, fileMustExist: true, timeout: 5000 });
  try {
    database.exec("BEGIN");
    return await work(tableReader(database));
  } finally {
    database.close();
  }
}

/**
 * Fills the database at `path`, which must be missing or hold no rows, with these rows. `copiedAt`: marks it as a copy.
 */
export async function fillFile(
  path: string,
  rows: TableReader,
  copiedAt: number | undefined,
): Promise<ReadonlyMap<string, number>> {
  const database = openDatabase(path);
  try {
    migrate(database, migrations);
    const full = [...columnsIn(database).keys()].find((table) => hasRows(database, table));
    if (full !== undefined)
      throw new OutsideError("not_empty", `${path} already holds rows of ${full}`, {
        consequence: "tell",
        advice: "Name a data directory without a database.",
      });
    database.exec("BEGIN IMMEDIATE");
    database.pragma("defer_foreign_keys = ON");
    const counts = await copyTables(rows, tableWriter(database));
    database
      .prepare("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'run_event'")
      .run(rows.lastEvent);
    if (copiedAt !== undefined) markAsCopy(database, copiedAt);
    database.exec("COMMIT");
    return counts;
  } finally {
    database.close();
  }
}

const hasRows = (database: Database, table: string): boolean =>
  database.prepare(`SELECT 1 FROM "${table}" LIMIT 1`).get() !== undefined;
