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

const DAY_MS = 86_400_000;
/** So long after the work that all of it may go. */
const LATER_MS = 800 * DAY_MS;
const ISSUES = 50;

/** What one round of the sweep did. */
export interface Round {
  /** Rows that were changed between two turns of the event loop, the most. */
  readonly rows: number;
  /** CPU time of this process between two turns, the most. */
  readonly cpuMs: number;
}

/** Sweeps away what work with so many run events left, round by round, and counts what happens in each turn of the loop. */
export async function sweptRounds(events: number): Promise<readonly Round[]> {
  const database = openDatabase(join(temporaryDirectory(), "flotilla.db"));
  migrate(database, migrations);
  // How long a disk takes to sync is not the sweep's.
  database.pragma("synchronous = OFF");
  const store = storeOn(database);
  const clock = createFakeClock(0);
  const changes = database.prepare("SELECT total_changes()").pluck();
  try {
    await store.repositories.put(repository);
    for (let issue = 1; issue <= ISSUES; issue += 1) addIssue(database, { issue, at: 0, ends: true });
    database
      .prepare(
        `WITH RECURSIVE more (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM more WHERE n < ?)
        INSERT INTO run_event (at, agent_id, run_id, repository_id, issue, turn, type, data)
        SELECT 1, 1 + n % ${ISSUES}, 1 + n % ${ISSUES}, ?, 1 + n % ${ISSUES}, n, 'agent:step',
          '{"text":"' || printf('%.*c', 250, 'x') || '"}' FROM more`,
      )
      .run(events, repository.id);
    clock.advance(LATER_MS);
    const log = { debug() {}, info() {}, warn() {}, error: (fields: object) => failed.push(fields) };
    const failed: object[] = [];
    const retention = new Retention({ store, clock, settings: someSettings(), log });
    const rounds: Round[] = [];
    const left = database.prepare("SELECT count(*) FROM agent").pluck();
    while (Number(left.get()) > 0 && rounds.length < events) {
      clock.advance(DAY_MS / 24);
      for (let n = 0; n < 100; n += 1) rounds.push(await watched(() => retention.round()));
    }
    if (failed.length > 0) throw new Error(`rows could not be deleted: ${JSON.stringify(failed[0])}`);
    if (Number(left.get()) > 0) throw new Error("something was never swept away");
    return rounds;
  } finally {
    await store.close();
  }

  /** Looks at each turn of the event loop what happened since the last one. */
  async function watched(work: () => Promise<void>): Promise<Round> {
    let [rows, cpuMs, over] = [0, 0, false];
    let [before, cpu] = [Number(changes.get()), process.cpuUsage()];
    const look = (): void => {
      if (over) return;
      const { user, system } = process.cpuUsage(cpu);
      const now = Number(changes.get());
      [rows, cpuMs] = [Math.max(rows, now - before), Math.max(cpuMs, (user + system) / 1000)];
      [before, cpu] = [now, process.cpuUsage()];
      setImmediate(look);
    };
    setImmediate(look);
    await work();
    look();
    over = true;
    return { rows, cpuMs };
  }
}
