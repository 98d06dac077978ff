import { AsyncLocalStorage } from "node:async_hooks";
import type { Database } from "better-sqlite3";
import { Kysely, type KyselyPlugin } from "kysely";
import { neverCrash } from "../../../domain/kernel/crash-points.ts";
import type { DeliveryTable } from "../../../domain/ports/store.ts";
import type { OpenOptions, OpenStore } from "../database.ts";
import type { Schema } from "../sql/schema.ts";
import { checkInvariants } from "../tables/invariants.ts";
import { tablesOn } from "../tables/tables.ts";
import { openDatabase } from "./database.ts";
import { immediateDialect } from "./immediate-dialect.ts";
import { InboxJournal, type Keep } from "./inbox-journal.ts";
import { insertDeliveries } from "./insert-deliveries.ts";
import { migrate } from "./migrate.ts";
import { migrations } from "./migrations/migrations.ts";
import { CamelCaseRows } from "./query-compiler.ts";
import { noteRestored } from "./restored.ts";

/**
 * Opens or creates the database at `path` (a file or `:memory:`) and migrates it to this version's schema.
 * Throws `StartupRefused`, with what to do, when opening is not safe. The data directory must be locked.
 */
export async function openStore({
  path,
  redact,
  crashPoint = neverCrash,
}: OpenOptions & { readonly path: string }): Promise<OpenStore> {
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

/**
 * Returns the store on an open database of this version's schema. Without a journal, deliveries go straight
 * into it.
 */
export function storeOn(
  database: Database,
  {
    journal,
    redact,
    crashPoint = neverCrash,
  }: OpenOptions & { readonly journal?: InboxJournal | undefined } = {},
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
      // Waits for queries that hold the only connection.
      await db.connection().execute(async () => {});
      await db.destroy();
    },
  };
}

/**
 * Puts the journal in front of the inbox table: a write only touches the file, and a read first moves
 * everything into the table.
 */
function inbox(table: DeliveryTable, journal: InboxJournal, keep: Keep): DeliveryTable {
  const moved = () => journal.move(keep);
  return {
    ...table,
    insert: (deliveries) => journal.append(deliveries),
    claim: (options) => moved().then(() => table.claim(options)),
    get: (guid) => moved().then(() => table.get(guid)),
    list: (where, limit) => moved().then(() => table.list(where, limit)),
    replay: (guid) => moved().then(() => table.replay(guid)),
    known: (guids) => moved().then(() => table.known(guids)),
  };
}

/** Tracks, across asynchronous calls, whether code runs inside a transaction. */
interface TransactionScope {
  run<T>(transaction: () => Promise<T>): Promise<T>;
  /** Refuses queries on the plain connection while the caller has a transaction open. */
  readonly outside: KyselyPlugin;
}

/**
 * Detects queries outside the open transaction. There is one connection, so such a query waits for the
 * transaction, and if the transaction awaits it, both wait forever. This makes it an error at once.
 */
function createTransactionScope(): TransactionScope {
  const scope = new AsyncLocalStorage<{ open: boolean }>();
  const refuse = () => {
    if (scope.getStore()?.open === true)
      throw new Error("inside a transaction use the tables that it was given, not the store's");
  };
  return {
    run: async (transaction) => {
      refuse();
      const here = { open: true };
      try {
        return await scope.run(here, transaction);
      } finally {
        here.open = false;
      }
    },
    outside: {
      transformQuery: ({ node }) => {
        refuse();
        return node;
      },
      transformResult: async ({ result }) => result,
    },
  };
}
