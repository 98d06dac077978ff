import { setImmediate as afterTurn } from "node:timers";
import { setImmediate } from "node:timers/promises";
import BetterSqlite, { type Database, type Statement } from "better-sqlite3";
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDriver,
  SqliteIntrospector,
  type SqliteStatement,
} from "kysely";
import { LRUCache } from "lru-cache";
import type { Redact } from "../../../domain/access/redact.ts";
import { UniqueViolation } from "../sql/dialect.ts";
import { redactedValue } from "../sql/redacted-value.ts";
import { QueryCompiler } from "./query-compiler.ts";

/**
 * Returns Kysely's SQLite dialect with transactions that take the write lock when they begin. A deferred one
 * takes it at its first write and fails, without waiting, if another connection has written since its first
 * read. `elapsed` returns milliseconds since a fixed moment.
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

/** The longest time that queries may run in one turn of the event loop. */
const LONGEST_TURN_MS = 4;

/** Used without a redaction. */
const asItIs: Redact = (text) => text;

class ImmediateDriver extends SqliteDriver {
  readonly #database: Database;
  /** Reads the number of rows that this connection has written. */
  readonly #writes: Statement<[], number>;
  #written = 0;
  /** The time of the first query in this turn of the event loop. */
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
   * Yields to the event loop before the next query after a write, or after queries have run for
   * `LONGEST_TURN_MS`: SQLite answers synchronously, so waiting queries would otherwise follow each other
   * within one turn. A database in memory never yields.
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

  /**
   * SQLite rolls back by itself when the disk is full; a second ROLLBACK would hide why the transaction
   * failed.
   */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.inTransaction) await super.rollbackTransaction(connection);
  }
}

/** SQL texts differ by the length of their lists, so the program's queries do not bound their number. */
const MOST_KEPT = 500;

/**
 * Caches the statements used last: compiling one takes longer than running it. SQLite recompiles them when
 * the schema changes.
 */
export function preparedStatements(database: Database): SqliteDatabase {
  const kept = new LRUCache<string, SqliteStatement>({ max: MOST_KEPT });
  return {
    close: () => database.close(),
    prepare(sql) {
      const known = kept.get(sql);
      if (known !== undefined) return known;
      const statement = database.prepare(sql);
      kept.set(sql, statement);
      return statement;
    },
  };
}

/**
 * Redacts all text that a statement of any table writes or compares with, so that no secret reaches the
 * database. Comparisons are redacted too, so that they find what was written.
 */
function redactedStatements(database: SqliteDatabase, redact: Redact): SqliteDatabase {
  const cleaned = (values: readonly unknown[]) => values.map((value) => redactedValue(value, redact));
  const wrapped = new WeakMap<SqliteStatement, SqliteStatement>();
  return {
    close: () => database.close(),
    prepare(sql) {
      const statement = database.prepare(sql);
      const known = wrapped.get(statement);
      if (known !== undefined) return known;
      const redacted: SqliteStatement = {
        reader: statement.reader,
        all: (values) => uniquely(() => statement.all(cleaned(values))),
        run: (values) => uniquely(() => statement.run(cleaned(values))),
        iterate: (values) => statement.iterate(cleaned(values)),
      };
      wrapped.set(statement, redacted);
      return redacted;
    },
  };
}

/** Converts SQLite's error for a forbidden duplicate to `UniqueViolation`, which all databases throw. */
function uniquely<T>(write: () => T): T {
  try {
    return write();
  } catch (error) {
    const isTaken = error instanceof BetterSqlite.SqliteError && error.code === "SQLITE_CONSTRAINT_UNIQUE";
    throw isTaken ? new UniqueViolation(error.message, { cause: error }) : error;
  }
}
