import { closeSync, existsSync, openSync, readFileSync, statSync } from "node:fs";
import SqliteDatabase, { type Database } from "better-sqlite3";
import { Kysely } from "kysely";
import type { StoreCopy } from "../database.ts";
import { CamelCaseRows } from "../sql/camel-case-rows.ts";
import type { Schema } from "../sql/schema.ts";
import { checkInvariants } from "../tables/invariants.ts";
import { openDatabase } from "./database.ts";
import { immediateDialect } from "./immediate-dialect.ts";
import { INSERT_DELIVERY } from "./insert-deliveries.ts";
import { decodeFrames } from "./journal-frame.ts";

/**
 * Copies all remaining pages in one step: a copy in pieces starts over whenever the serving process writes.
 */
const ALL_PAGES = 2 ** 31 - 1;

/**
 * Copies the database beside a serving process to a file that does not exist (mode 0600), including what is
 * in the inbox's journal; resolves once the copy is on disk. Marks it as a copy, so each pending effect first
 * checks whether it was done. `now`: milliseconds since the epoch, for the check of the invariants.
 */
export async function copyStore(options: { from: string; to: string; now: number }): Promise<StoreCopy> {
  const { from, to, now } = options;
  // The journal is copied first: its deliveries stay there or move into the table, so one of the two copies
  // has them.
  const journal = `${from}-inbox`;
  const { deliveries } = decodeFrames(existsSync(journal) ? readFileSync(journal) : Buffer.alloc(0));
  closeSync(openSync(to, "wx", 0o600));
  const source = new SqliteDatabase(from, { readonly: true, fileMustExist: true, timeout: 5000 });
  try {
    await source.backup(to, { progress: () => ALL_PAGES });
  } finally {
    source.close();
  }
  const copy = openDatabase(to);
  const db = new Kysely<Schema>({ dialect: immediateDialect(copy), plugins: [new CamelCaseRows()] });
  try {
    copy
      .transaction(() => {
        const insert = copy.prepare(INSERT_DELIVERY);
        for (const delivery of deliveries) insert.run(delivery);
        markAsCopy(copy, now);
      })
      .immediate();
    const damage = damageOf(copy);
    const violations = damage.length > 0 ? [] : await checkInvariants(db, now);
    copy.pragma("wal_checkpoint(TRUNCATE)");
    return { bytes: statSync(to).size, fromJournal: deliveries.length, damage, violations };
  } finally {
    await db.destroy();
  }
}

/** Lets each pending effect first check whether it was done. */
export function markAsCopy(copy: Database, now: number): void {
  copy.prepare("INSERT OR REPLACE INTO restored (id, copied_at, opened_at) VALUES (1, ?, NULL)").run(now);
  copy.exec("UPDATE effect SET uncertain = 1 WHERE state IN ('pending', 'leased')");
}

function damageOf(copy: Database): readonly string[] {
  const integrity = copy.prepare("PRAGMA integrity_check").pluck().all().map(String);
  const foreign = copy
    .prepare('SELECT "table", count(*) AS n FROM pragma_foreign_key_check GROUP BY 1')
    .raw()
    .all();
  return [
    ...integrity.filter((line) => line !== "ok"),
    ...foreign.map((row) => `rows of a table refer to rows that are gone: ${JSON.stringify(row)}`),
  ];
}
