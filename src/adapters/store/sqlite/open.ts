import type { Database } from "better-sqlite3";
import { Kysely } from "kysely";
import { neverCrash } from "../../../domain/kernel/crash-points.ts";
import type { DeliveryTable } from "../../../domain/ports/store.ts";
import type { Changes, OpenOptions, OpenStore } from "../database.ts";
import { CamelCaseRows } from "../sql/camel-case-rows.ts";
import type { Schema } from "../sql/schema.ts";
import { transactionalTables } from "../tables/transactional-tables.ts";
import { openDatabase } from "./database.ts";
import { immediateDialect } from "./immediate-dialect.ts";
import { InboxJournal, type Keep } from "./inbox-journal.ts";
import { insertDeliveries } from "./insert-deliveries.ts";
import { migrate } from "./migrate.ts";
import { migrations } from "./migrations/migrations.ts";
import { noteRestored } from "./restored.ts";

/** One process uses a file. */
const NOBODY_ELSE: Changes = { tell() {}, listen() {} };

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
  const { outside, ...store } = transactionalTables(db, crashPoint);
  const keep = insertDeliveries(database, outside);
  return {
    ...store,
    changes: NOBODY_ELSE,
    deliveries:
      journal === undefined ? { ...store.deliveries, insert: keep } : inbox(store.deliveries, journal, keep),
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
