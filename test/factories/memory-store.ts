import type { Database, Statement } from "better-sqlite3";
import type { OpenOptions, OpenStore } from "../../src/adapters/store/database.ts";
import { openDatabase } from "../../src/adapters/store/sqlite/database.ts";
import { migrate } from "../../src/adapters/store/sqlite/migrate.ts";
import { migrations } from "../../src/adapters/store/sqlite/migrations/migrations.ts";
import { storeOn } from "../../src/adapters/store/sqlite/open.ts";

/** Databases that no test uses, empty. */
const unused: Kept[] = [];

interface Kept {
  /** The connection, with the statements that it has prepared; closing it empties the database for the next test. */
  readonly connection: Database;
  /** The database itself, to look into. */
  readonly database: Database;
  /** The number of rows that it had written when it was emptied. */
  written: number;
}

/** A store in memory that nothing was written to, with its database. */
export interface MemoryStore {
  readonly store: OpenStore;
  /** To look into; a test that changes the schema or the settings makes a database of its own. */
  readonly database: Database;
}

/**
 * Returns an empty store in memory; closed, it serves the next test. To make one, with each of its statements, takes
 * longer than most tests.
 */
export function memoryStore(options: OpenOptions = {}): OpenStore {
  return memoryStoreAndDatabase(options).store;
}

export function memoryStoreAndDatabase(options: OpenOptions = {}): MemoryStore {
  const { connection, database } = takeUnused() ?? create();
  return { store: storeOn(connection, options), database };
}

/**
 * Returns an empty database. What a test left running may still hold the connection when its store is closed: such a
 * database is closed, where it fails as in any closed database, and reaches no other test.
 */
function takeUnused(): Kept | undefined {
  for (let kept = unused.pop(); kept !== undefined; kept = unused.pop()) {
    const { database, written } = kept;
    if (!database.inTransaction && writtenBy(database) === written) return kept;
    database.close();
  }
  return undefined;
}

function writtenBy(database: Database): number {
  return database.prepare<[], number>("SELECT total_changes()").pluck().get() ?? 0;
}

function create(): Kept {
  const database = openDatabase(":memory:");
  migrate(database, migrations);
  const tables = database.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck();
  const wipes = tables
    .all()
    .toReversed()
    .map((name) => database.prepare(`DELETE FROM "${name}"`));
  const empty = database.transaction(() => {
    // A trigger may write again into a table that was emptied before.
    while (wipes.map((wipe) => wipe.run().changes).some((changes) => changes > 0));
  });
  const statements = new Map<string, Statement>();
  const prepare = (sql: string): Statement => {
    const statement = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  const close = (): Database => {
    empty();
    kept.written = writtenBy(database);
    unused.push(kept);
    return kept.connection;
  };
  const connection: Database = Object.create(database, {
    prepare: { value: prepare },
    close: { value: close },
  });
  const kept: Kept = { connection, database, written: 0 };
  return kept;
}
