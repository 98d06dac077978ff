import { Kysely } from "kysely";
import type pg from "pg";
import { OutsideError, StartupRefused } from "../../../domain/kernel/errors.ts";
import type { Fault, OpenOptions, OpenStore, ReadOnlyStore } from "../database.ts";
import { CamelCaseRows } from "../sql/camel-case-rows.ts";
import type { Schema } from "../sql/schema.ts";
import { checkInvariants } from "../tables/invariants.ts";
import { tablesOn } from "../tables/tables.ts";
import { transactionalTables } from "../tables/transactional-tables.ts";
import { connect, dialectOn, inOurWords } from "./connect.ts";
import { insertDeliveries } from "./insert-deliveries.ts";
import type { Location } from "./location.ts";
import { Notifications } from "./notifications.ts";
import { noteRestored } from "./restored.ts";
import { migrate, schemaFault, writingFault } from "./schema.ts";

/** One transaction writes at a time, and reads beside it share the rest. */
const CONNECTIONS = 10;
/** A command reads one thing after another. */
const READING_CONNECTIONS = 2;

/**
 * Opens the database, which must exist on its server, and migrates it to this version's schema. Throws
 * `StartupRefused`, with what to do, when opening is not safe.
 */
export async function openStore({
  location,
  redact,
  crashPoint,
}: OpenOptions & { readonly location: Location }): Promise<OpenStore> {
  const pool = connect(location, CONNECTIONS);
  try {
    await withClient(pool, location, async (client) => {
      refuse(location, (await writingFault(client)) ?? (await schemaFault(client)));
      await migrate(client);
      await noteRestored(client, Date.now());
    }).catch(refuseToStart);
  } catch (error) {
    await pool.end();
    throw error;
  }
  const db = kysely(pool, { location, redact });
  const { outside: _, ...store } = transactionalTables(db, crashPoint);
  const changes = new Notifications(location);
  return {
    ...store,
    changes,
    deliveries: { ...store.deliveries, insert: insertDeliveries(pool, location) },
    close: async () => {
      await changes.close();
      await db.destroy();
    },
  };
}

/** Opens the database to read beside the process that serves it; the server refuses every write. */
export function openReadOnly(location: Location): ReadOnlyStore {
  const db = kysely(connect(location, READING_CONNECTIONS), { location, readOnly: true });
  return { ...tablesOn(db), checkInvariants: (now) => checkInvariants(db, now), close: () => db.destroy() };
}

function kysely(pool: pg.Pool, options: Parameters<typeof dialectOn>[1]): Kysely<Schema> {
  return new Kysely<Schema>({ dialect: dialectOn(pool, options), plugins: [new CamelCaseRows()] });
}

/** Runs `work` on one connection, which is given back. */
export async function withClient<T>(
  pool: pg.Pool,
  location: Location,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  let client: pg.PoolClient | undefined;
  try {
    client = await pool.connect();
    return await work(client);
  } catch (error) {
    throw error instanceof StartupRefused ? error : inOurWords(error, location);
  } finally {
    client?.release();
  }
}

export function refuse(location: Location, fault: Fault | undefined): void {
  if (fault !== undefined) throw new StartupRefused([`${location.told} ${fault.what}. ${fault.next}.`]);
}

/** Says of a server that does not answer, or of another process, what to do before the next start. */
function refuseToStart(error: unknown): never {
  if (error instanceof OutsideError) throw new StartupRefused([`${error.message}. ${error.advice ?? ""}.`]);
  throw error;
}
