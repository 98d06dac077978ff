import type { Database, Statement } from "better-sqlite3";

/** One executed statement that changed rows. */
export interface Write {
  readonly sql: string;
  /** In the form that better-sqlite3 accepts: lists of values, or one object with names. */
  readonly given: readonly unknown[];
}

/** Returns the database, recording every write in `writes`, but not the start and end of transactions. */
export function recordingWrites(database: Database, writes: Write[]): Database {
  return new Proxy(database, {
    get(target, key) {
      if (key === "prepare") return (sql: string) => recorded(target.prepare(sql), sql, writes);
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

function recorded(statement: Statement, sql: string, writes: Write[]): Statement {
  if (statement.readonly || /^\s*begin/i.test(sql)) return statement;
  return new Proxy(statement, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== "function") return value;
      if (key !== "run" && key !== "all") return value.bind(target);
      return (...given: readonly unknown[]) => {
        writes.push({ sql, given });
        return Reflect.apply(value, target, given);
      };
    },
  });
}

/** Creates a function that repeats the writes in one transaction, compiling each statement once. */
export function replayer(database: Database): (writes: readonly Write[]) => void {
  const compiled = new Map<string, Statement>();
  const prepared = (sql: string): Statement => {
    const known = compiled.get(sql) ?? database.prepare(sql);
    compiled.set(sql, known);
    return known;
  };
  const all = database.transaction((writes: readonly Write[]) => {
    for (const { sql, given } of writes) {
      const statement = prepared(sql);
      if (statement.reader) statement.all(...given);
      else statement.run(...given);
    }
  });
  return (writes) => all.immediate(writes);
}
