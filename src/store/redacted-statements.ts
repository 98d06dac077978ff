import type { SqliteDatabase, SqliteStatement } from "kysely";
import { cleanValue } from "../core/text/clean.ts";
import type { Redact } from "../core/text/redact.ts";

/**
 * A database that is never given a secret: whatever a statement writes or compares with, in any table, is redacted first.
 * What is compared with is redacted too, so that it finds what was written.
 */
export function redactedStatements(database: SqliteDatabase, redact: Redact): SqliteDatabase {
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
        all: (values) => statement.all(cleaned(values)),
        run: (values) => statement.run(cleaned(values)),
        iterate: (values) => statement.iterate(cleaned(values)),
      };
      wrapped.set(statement, redacted);
      return redacted;
    },
  };
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
