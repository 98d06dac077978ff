import { statSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "../../src/adapters/store/sqlite/database.ts";
import { migrate } from "../../src/adapters/store/sqlite/migrate.ts";
import { migrations } from "../../src/adapters/store/sqlite/migrations/migrations.ts";
import { storeOn } from "../../src/adapters/store/sqlite/open.ts";
import { Retention } from "../../src/engine/kernel/retention.ts";
import { repository } from "../adapters/store/samples.ts";
import { AT } from "../factories/moment.ts";
import { someSettings } from "../factories/some-settings.ts";
import { createFakeClock } from "../fakes/clock.ts";
import { copierOf } from "./copied-week.ts";

/** What the database of a year with 10,000 issues stays within, as docs/operations.md says. */
export const YEAR_GB = 1;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A serving process has 21,600 of them in six hours. */
const ROUNDS_IN_SIX_HOURS = 100;
const MONTH_DAYS = 30;

/** How large the database is at the end of a month, in bytes. */
interface Month {
  readonly file: number;
  /** Of the file, without pages that are free to be used again. */
  readonly used: number;
  /** The most that the write-ahead log held while rows were swept. */
  readonly wal: number;
}

interface Grown {
  readonly months: readonly Month[];
  /** Rows of each table at the end. */
  readonly rows: Readonly<Record<string, number>>;
  /** Bytes of the file after VACUUM. */
  readonly vacuumed: number;
}

/**
 * Lets `days` pass in which the work of the database `week` comes again and again, one copy behind the other, and the
 * sweep runs with the defaults.
 */
export async function grownOver(
  days: number,
  { directory, week, weekMs }: { directory: string; week: string; weekMs: number },
): Promise<Grown> {
  const path = join(directory, "grown.db");
  const database = openDatabase(path);
  migrate(database, migrations);
  // What is measured is the size, not what a power loss leaves.
  database.pragma("synchronous = OFF");
  const store = storeOn(database);
  const clock = createFakeClock(AT);
  const failed: object[] = [];
  const log = { debug() {}, info() {}, warn() {}, error: (fields: object) => failed.push(fields) };
  try {
    await store.repositories.put(repository);
    const copy = copierOf(database, { path: week, everyMs: weekMs });
    const retention = new Retention({ store, clock, settings: someSettings(), log });
    const months: Month[] = [];
    let [copied, wal] = [0, 0];
    for (let hours = 0; hours < days * 24; hours += 6) {
      for (; copied * weekMs <= hours * HOUR_MS; copied += 1) {
        copy(copied);
        database.pragma("wal_checkpoint(TRUNCATE)");
      }
      clock.advance(6 * HOUR_MS);
      for (let round = 0; round < ROUNDS_IN_SIX_HOURS; round += 1) await retention.round();
      wal = Math.max(wal, statSync(`${path}-wal`).size);
      if ((hours + 6) % (MONTH_DAYS * 24) !== 0) continue;
      months.push({ ...sizes(), wal });
      wal = 0;
    }
    if (failed.length > 0) throw new Error(`rows could not be deleted: ${JSON.stringify(failed[0])}`);
    const rows = rowsByTable();
    database.exec("VACUUM main");
    return { months, rows, vacuumed: sizes().file };
  } finally {
    await store.close();
  }

  function sizes() {
    database.pragma("wal_checkpoint(TRUNCATE)");
    const page = (of: string) => Number(database.pragma(of, { simple: true }));
    const free = page("freelist_count") * page("page_size");
    const file = statSync(path).size;
    return { file, used: file - free };
  }

  function rowsByTable(): Readonly<Record<string, number>> {
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
    return Object.fromEntries(
      tables.map((table) => [
        String(table),
        Number(
          database
            .prepare(`SELECT count(*) FROM ${String(table)}`)
            .pluck()
            .get(),
        ),
      ]),
    );
  }
}

export const daysOf = (issues: number, perDay: number): number => Math.round((issues / perDay) * DAY_MS);
