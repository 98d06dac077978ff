import type { Database } from "better-sqlite3";
import type { Migration } from "./migrations/migrations.ts";
import { schemaOf } from "./schema-number.ts";

/**
 * Runs the migrations that the database lacks. Each is one transaction, which reads and sets the schema
 * number: of two processes that start at once, the second finds the work done.
 */
export function migrate(database: Database, migrations: readonly Migration[]): void {
  for (const [before, { sql }] of migrations.entries()) {
    database
      .transaction(() => {
        if (schemaOf(database) !== before) return;
        database.exec(sql);
        database.pragma(`user_version = ${before + 1}`);
      })
      .immediate();
  }
}
