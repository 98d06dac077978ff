import { statSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "../../src/adapters/store/sqlite/database.ts";
import { migrate } from "../../src/adapters/store/sqlite/migrate.ts";
import { migrations } from "../../src/adapters/store/sqlite/migrations/migrations.ts";
import { storeOn } from "../../src/adapters/store/sqlite/open.ts";
import { Retention } from "../../src/engine/kernel/retention.ts";
import { repository } from "../adapters/store/samples.ts";
import { temporaryDirectory } from "../adapters/store/temporary.ts";
import { addIssue } from "../adapters/store/year.ts";
import { someSettings } from "../factories/some-settings.ts";
import { createFakeClock } from "../fakes/clock.ts";

const DAY = 86_400_000;
const DAYS = 365;
/** A serving process has 86,400 of them in a day. */
const ROUNDS = { perDay: 12, perIssue: 4 };

export interface Month {
  /** Bytes of the file that hold something, and of the whole file. */
  readonly used: number;
  readonly file: number;
}

/** Lives through a year in which work on so many issues begins and ends, with the retention of the defaults. */
export async function yearOf(issues: number): Promise<readonly Month[]> {
  const path = join(temporaryDirectory(), "flotilla.db");
  const database = openDatabase(path);
  migrate(database, migrations);
  // What is measured is the size, not what a power loss leaves.
  database.pragma("synchronous = OFF");
  const store = storeOn(database);
  const quiet = { debug() {}, info() {}, warn() {}, error: (fields: object) => errors.push(fields) };
  const errors: object[] = [];
  const clock = createFakeClock(0);
  try {
    await store.repositories.put(repository);
    const retention = new Retention({ store, clock, settings: someSettings(), log: quiet });
    const months: Month[] = [];
    let issue = 0;
    for (let day = 1; day <= DAYS; day += 1) {
      database.transaction(() => {
        while (issue < (issues * day) / DAYS)
          addIssue(database, { issue: ++issue, at: clock.now(), ends: true });
      })();
      clock.advance(DAY);
      const rounds = ROUNDS.perDay + Math.ceil((ROUNDS.perIssue * issues) / DAYS);
      for (let round = 0; round < rounds; round += 1) await retention.round();
      if (day % 30 === 0) months.push(sizeOf());
    }
    if (errors.length > 0) throw new Error(`rows could not be deleted: ${JSON.stringify(errors[0])}`);
    return months;
  } finally {
    await store.close();
  }

  function sizeOf(): Month {
    database.pragma("wal_checkpoint(TRUNCATE)");
    const pages = Number(database.pragma("page_count", { simple: true }));
    const free = Number(database.pragma("freelist_count", { simple: true }));
    const bytes = Number(database.pragma("page_size", { simple: true }));
    return { used: (pages - free) * bytes, file: statSync(path).size };
  }
}
