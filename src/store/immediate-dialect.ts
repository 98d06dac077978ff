import { setImmediate as afterTurn } from "node:timers";
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
 * first write, and fails there when another connection has written since its first read, without waiting. `elapsed` are
 * milliseconds since some moment in the past.
 */
export function immediateDialect(
  database: Database,
  redact: Redact = asItIs,
  elapsed: () => number = () => performance.now(),
): Dialect {
  return {
    createDriver: () => new ImmediateDriver(database, redact, elapsed),
    createAdapter: () => new SqliteAdapter(),
    createQueryCompiler: () => new QueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

/** For so long queries may follow each other in one turn of the event loop. */
const LONGEST_TURN_MS = 4;

/** Nothing is written by who leaves it out. */
const asItIs: Redact = (text) => text;

class ImmediateDriver extends SqliteDriver {
  readonly #database: Database;
  /** How many rows this connection has written so far. */
  readonly #writes: Statement<[], number>;
  #written = 0;
  /** When the first query of this turn of the event loop began. */
  #began: number | null = null;

  readonly #elapsed: () => number;

  constructor(database: Database, redact: Redact, elapsed: () => number) {
    super({ database: redactedStatements(preparedStatements(database), redact) });
    this.#database = database;
    this.#elapsed = elapsed;
    this.#writes = database.prepare<[], number>("SELECT total_changes()").pluck();
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#began === null) {
      this.#began = this.#elapsed();
      afterTurn(() => {
        this.#began = null;
      });
    }
    return super.acquireConnection();
  }

  /**
   * Lets the event loop go before the next query when something was written, or when queries have held it for a while:
   * SQLite answers at once, so those who wait for the connection follow each other without a turn of the loop. What is in
   * memory waits for no disk and is read by nobody else.
   */
  override async releaseConnection(): Promise<void> {
    if (this.#database.memory || !this.#database.open) return;
    const written = this.#writes.get() ?? 0;
    const hasHeld = this.#began !== null && this.#elapsed() - this.#began > LONGEST_TURN_MS;
    if (written === this.#written && !hasHeld) return;
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
