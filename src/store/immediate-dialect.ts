import type { Database } from "better-sqlite3";
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  SqliteAdapter,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { preparedStatements } from "./prepared-statements.ts";

/**
 * Kysely's SQLite dialect with transactions that take the write lock when they begin. A deferred one takes it at its
 * first write, and fails there when another connection has written since its first read, without waiting.
 */
export function immediateDialect(database: Database): Dialect {
  return {
    createDriver: () => new ImmediateDriver(database),
    createAdapter: () => new SqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

class ImmediateDriver extends SqliteDriver {
  readonly #database: Database;

  constructor(database: Database) {
    super({ database: preparedStatements(database) });
    this.#database = database;
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("begin immediate"));
  }

  /** A full disk rolls back by itself; a second ROLLBACK would then hide why the transaction failed. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.inTransaction) await super.rollbackTransaction(connection);
  }
}
