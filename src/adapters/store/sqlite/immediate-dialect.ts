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
import { cleanValue } from "../../../domain/messages/printable.ts";
import { UniqueViolation } from "../sql/dialect.ts";
import { QueryCompiler } from "./query-compiler.ts";

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

/** Texts differ by the length of their lists, so their number is not bounded by the queries of the program. */
const MOST_KEPT = 500;

/** Keeps the statements used last: compiling one takes longer than running it. SQLite renews them when the schema changes. */
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
 * A database that is never given a secret: whatever a statement writes or compares with, in any table, is redacted first.
 * What is compared with is redacted too, so that it finds what was written.
 */
function redactedStatements(database: SqliteDatabase, redact: Redact): SqliteDatabase {
  const clean = (value: unknown): unknown => (typeof value === "string" ? cleanText(value, redact) : value);
  const cleaned = (values: readonly unknown[]): readonly unknown[] => values.map(clean);
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

/** Names what a unique index forbids as every database of ours does. */
function uniquely<T>(write: () => T): T {
  try {
    return write();
  } catch (error) {
    const isTaken = error instanceof BetterSqlite.SqliteError && error.code === "SQLITE_CONSTRAINT_UNIQUE";
    throw isTaken ? new UniqueViolation(error.message, { cause: error }) : error;
  }
}

/** JSON stays JSON: a pattern that runs over its quotes would break it. */
function cleanText(text: string, redact: Redact): string {
  const redacted = redact(text);
  if (redacted === text || !/^[[{"]/.test(text)) return redacted;
  const value = parsed(text);
  return value === undefined ? redacted : JSON.stringify(cleanValue(value, redact));
}

/** Undefined for what is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
