import { existsSync } from "node:fs";
import SqliteDatabase, { type Database } from "better-sqlite3";
import { Kysely } from "kysely";
import { CamelCaseRows } from "../../src/adapters/store/sql/camel-case-rows.ts";
import type { Schema } from "../../src/adapters/store/sql/schema.ts";
import { immediateDialect } from "../../src/adapters/store/sqlite/immediate-dialect.ts";
import { checkInvariants } from "../../src/adapters/store/tables/invariants.ts";
import type { Violation } from "../../src/domain/ports/settings-tables.ts";

const LOOK_MS = 100;

/**
 * Checks the lifecycle invariants beside the serving process, after each of its commits. `stop` resolves with
 * everything that was ever violated, each invariant and its rows once.
 */
export function watchInvariants(
  path: string,
  now: () => number = Date.now,
): { stop(): Promise<readonly Violation[]> } {
  const broken = new Map<string, Violation>();
  let opened: {
    readonly database: Database;
    readonly db: Kysely<Schema>;
    readonly close: () => Promise<void>;
  } | null = null;
  let last: unknown = null;
  let looking: Promise<void> = Promise.resolve();

  async function look(): Promise<void> {
    opened ??= open(path);
    if (opened === null) return;
    const version = opened.database.pragma("data_version", { simple: true });
    if (version === last) return;
    last = version;
    for (const violation of await checkInvariants(opened.db, now()))
      broken.set(JSON.stringify(violation), violation);
  }

  const timer = setInterval(() => {
    looking = looking.then(look);
  }, LOOK_MS);
  timer.unref();
  let stopped: Promise<void> | null = null;
  return {
    async stop() {
      clearInterval(timer);
      stopped ??= looking.then(() => opened?.close());
      await stopped;
      return [...broken.values()];
    },
  };
}

/** Returns null while the process has not created its tables. */
function open(path: string) {
  if (!existsSync(path)) return null;
  const database = new SqliteDatabase(path, { readonly: true, timeout: 5000 });
  const made = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'verdict'").get() !== undefined;
  if (!made) {
    database.close();
    return null;
  }
  const db = new Kysely<Schema>({ dialect: immediateDialect(database), plugins: [new CamelCaseRows()] });
  return { database, db, close: () => db.destroy() };
}
