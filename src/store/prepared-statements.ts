import type { Database } from "better-sqlite3";
import type { SqliteDatabase, SqliteStatement } from "kysely";

/** Texts differ by the length of their lists, so their number is not bounded by the queries of the program. */
const MOST_KEPT = 500;

/** Keeps the statements used last: compiling one takes longer than running it. SQLite renews them when the schema changes. */
export function preparedStatements(database: Database): SqliteDatabase {
  // A Map iterates in insertion order, so the first key is the one unused for longest.
  const kept = new Map<string, SqliteStatement>();
  return {
    close: () => database.close(),
    prepare(sql) {
      const statement = kept.get(sql) ?? database.prepare(sql);
      kept.delete(sql);
      kept.set(sql, statement);
      const [oldest] = kept.keys();
      if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
      return statement;
    },
  };
}
