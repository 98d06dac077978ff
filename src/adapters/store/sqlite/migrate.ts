import type { Database } from "better-sqlite3";
import { z } from "zod";
import { StartupRefused } from "../../../domain/kernel/errors.ts";
import type { Migration } from "../migrations/migration.ts";

const names = z.array(z.string());

/**
 * Brings the database to the form that this binary knows. Each migration and the record of it are one transaction, the
 * record first, so that of two starters one fails instead of both running it. Throws `StartupRefused` for a database
 * that a newer binary has written: what it means to that one cannot be known here.
 */
export function migrate(database: Database, migrations: readonly Migration[]): void {
  database.exec(
    "CREATE TABLE IF NOT EXISTS migration (name TEXT NOT NULL PRIMARY KEY, applied_at INTEGER NOT NULL) STRICT",
  );
  const applied = names.parse(database.prepare("SELECT name FROM migration ORDER BY name").pluck().all());
  const unknown = applied.filter((name) => !migrations.some((migration) => migration.name === name));
  if (unknown.length > 0) {
    throw new StartupRefused([
      `${database.name} was written by a newer flotilla (${unknown.join(", ")}): run that version, or restore a backup made before it`,
    ]);
  }
  const record = database.prepare("INSERT INTO migration (name, applied_at) VALUES (?, ?)");
  for (const { name, sql } of migrations) {
    if (applied.includes(name)) continue;
    database
      .transaction(() => {
        record.run(name, Date.now());
        database.exec(sql);
      })
      .immediate();
  }
}
