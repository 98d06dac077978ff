import type { Database } from "better-sqlite3";
import { Kysely } from "kysely";
import { type AtCrashPoint, neverCrash } from "../core/crash-points.ts";
import type { Violation } from "../core/ports/invariants.ts";
import type { Store } from "../core/ports/store.ts";
import type { Redact } from "../core/text/redact.ts";
import { openDatabase } from "./database.ts";
import { immediateDialect } from "./immediate-dialect.ts";
import { inbox } from "./inbox.ts";
import { InboxJournal } from "./inbox-journal.ts";
import { insertDeliveries } from "./insert-deliveries.ts";
import { checkInvariants } from "./invariants.ts";
import { migrate } from "./migrate.ts";
import { migrations } from "./migrations/index.ts";
import { CamelCaseRows } from "./query-compiler.ts";
import { noteRestored } from "./restored.ts";
import type { Schema } from "./schema.ts";
import { tablesOn } from "./tables.ts";
import { createTransactionScope } from "./transaction-scope.ts";

export interface OpenStore extends Store {
  /** Everything in the database that the lifecycles forbid, `now` in milliseconds since the epoch; empty when all is well. */
  checkInvariants(now: number): Promise<readonly Violation[]>;
}

/**
 * Opens the database, or makes it, and brings it to the present form. `path` is a file or `:memory:`. Throws
 * `StartupRefused`, saying what to do, when it cannot be opened safely. The data directory must be locked before.
 * `redact` takes secrets out of all that is written but the webhooks themselves, which are kept as they came.
 */
export async function openStore({
  path,
  redact,
  crashPoint = neverCrash,
}: {
  readonly path: string;
  readonly redact?: Redact | undefined;
  readonly crashPoint?: AtCrashPoint;
}): Promise<OpenStore> {
  const database = openDatabase(path);
  try {
    migrate(database, migrations);
    noteRestored(database);
  } catch (error) {
    database.close();
    throw error;
  }
  const journal = database.memory ? undefined : await InboxJournal.open(`${path}-inbox`, crashPoint);
  return storeOn(database, { journal, redact, crashPoint });
}

/** The store on a database that is open and in the present form. Without a journal deliveries go straight into it. */
export function storeOn(
  database: Database,
  {
    journal,
    redact,
    crashPoint = neverCrash,
  }: {
    readonly journal?: InboxJournal | undefined;
    readonly redact?: Redact | undefined;
    readonly crashPoint?: AtCrashPoint;
  } = {},
): OpenStore {
  const db = new Kysely<Schema>({
    dialect: immediateDialect(database, redact),
    plugins: [new CamelCaseRows()],
  });
  const scope = createTransactionScope();
  const outside = db.withPlugin(scope.outside);
  const tables = tablesOn(outside);
  const keep = insertDeliveries(database, outside);
  return {
    ...tables,
    deliveries:
      journal === undefined
        ? { ...tables.deliveries, insert: keep }
        : inbox(tables.deliveries, journal, keep),
    transaction: (work) =>
      scope.run(() =>
        db.transaction().execute(async (trx) => {
          const result = await work(tablesOn(trx));
          crashPoint("store:committing");
          return result;
        }),
      ),
    checkInvariants: (now) => checkInvariants(outside, now),
    close: async () => {
      await journal?.move(keep);
      await journal?.close();
      // Waits for what is under way: it holds the only connection.
      await db.connection().execute(async () => {});
      await db.destroy();
    },
  };
}
