import { setImmediate } from "node:timers/promises";
import type { Database, Statement } from "better-sqlite3";
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  SqliteAdapter,
  SqliteDriver,
  SqliteIntrospector,
} from "kysely";
import type { Redact } from "../core/text/redact.ts";
import { preparedStatements } from "./prepared-statements.ts";
import { QueryCompiler } from "./query-compiler.ts";
import { redactedStatements } from "./redacted-statements.ts";

/**
 * Kysely's SQLite dialect with transactions that take the write lock when they begin. A deferred one takes it at its
 * first write, and fails there when another connection has written since its first read, without waiting.
 */
export function immediateDialect(database: Database, redact: Redact = asItIs): Dialect {
  return {
    createDriver: () => new ImmediateDriver(database, redact),
    createAdapter: () => new SqliteAdapter(),
    createQueryCompiler: () => new QueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

/** Nothing is written by who leaves it out. */
const asItIs: Redact = (text) => text;

class ImmediateDriver extends SqliteDriver {
  readonly #database: Database;
  /** How many rows this connection has written so far. */
  readonly #writes: Statement<[], number>;
  #written = 0;

  constructor(database: Database, redact: Redact) {
    super({ database: redactedStatements(preparedStatements(database), redact) });
    this.#database = database;
    this.#writes = database.prepare<[], number>("SELECT total_changes()").pluck();
  }

  /**
   * Lets the event loop go before the next query, where something was written: a commit waits for the disk, and those who
   * wait for the connection follow each other without a turn of the loop. What is in memory waits for no disk.
   */
  override async releaseConnection(): Promise<void> {
    if (this.#database.memory || !this.#database.open) return;
    const written = this.#writes.get() ?? 0;
    if (written === this.#written) return;
    this.#written = written;
    await setImmediate();
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("begin immediate"));
  }

  /** A full disk rolls back by itself; a second ROLLBACK would then hide why the transaction failed. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.inTransaction) await super.rollbackTransaction(connection);
  }
}
