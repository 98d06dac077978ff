import type pg from "pg";
import { z } from "zod";
import { StartupRefused } from "../../../domain/kernel/errors.ts";
import { LEASE_MS } from "../../../domain/recovery/node.ts";
import type { Fault } from "../database.ts";
import { type Migration, migrations } from "./migrations/migrations.ts";

type Client = Pick<pg.ClientBase, "query">;

/** Key of the lock under which the schema changes. */
const SCHEMA_LOCK = 0x464c4f54 + 1;
/** The oldest version of the server that still gets security updates. */
const OLDEST_SERVER = 14;

const kept = z.array(z.object({ number: z.int(), min_reader: z.int() }));
const server = z.object({
  version: z.coerce.number(),
  encoding: z.string(),
  standby: z.int(),
  read_only: z.string(),
  migrated: z.int(),
  others: z.int(),
});

const SERVER = `SELECT current_setting('server_version_num') AS version, current_setting('server_encoding') AS encoding,
  pg_is_in_recovery() AS standby, current_setting('default_transaction_read_only') AS read_only,
  to_regclass('flotilla_migration') IS NOT NULL AS migrated,
  (SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()) AS others`;

const BOOKS = `CREATE TABLE flotilla_migration (
  number BIGINT PRIMARY KEY,
  name TEXT NOT NULL,
  min_reader BIGINT NOT NULL,
  applied_at TIMESTAMPTZ NOT NULL DEFAULT now()
)`;

/** Returns why this version cannot use the database, and what to do; undefined where it can. Only reads. */
export async function schemaFault(
  client: Client,
  known: readonly Migration[] = migrations,
): Promise<Fault | undefined> {
  const { version, encoding, migrated, others } = await look(client);
  if (Math.floor(version / 10_000) < OLDEST_SERVER)
    return {
      what: `is on PostgreSQL ${Math.floor(version / 10_000)}, which is too old`,
      next: `Upgrade the server to PostgreSQL ${OLDEST_SERVER} or newer`,
    };
  if (encoding !== "UTF8")
    return {
      what: `stores texts as ${encoding}, which cannot hold all of them`,
      next: "Create the database with ENCODING 'UTF8' and TEMPLATE template0",
    };
  if (migrated === 0) {
    if (others === 0) return undefined;
    return { what: "holds tables of another program", next: "Create a database for Flotilla alone" };
  }
  const had = await appliedTo(client);
  const schema = had.at(-1)?.number ?? 0;
  const needed = Math.max(0, ...had.map(({ min_reader }) => min_reader));
  if (needed > known.length)
    return {
      what: `was changed by a newer version of Flotilla (it has schema ${schema}, and this version reads up to ${known.length}); nothing in it was changed now`,
      next: "Start the newer version, or restore a backup from before the upgrade",
    };
  return await lackingFault(client, known.slice(0, schema));
}

/** Returns why nothing can be written to the server; undefined where it can. */
export async function writingFault(client: Client): Promise<Fault | undefined> {
  const { standby, read_only } = await look(client);
  if (standby === 1)
    return { what: "is a standby, which takes no writes", next: "Name the primary server in DATABASE_URL" };
  if (read_only === "on")
    return {
      what: "is set to read only (default_transaction_read_only)",
      next: "Turn that off for this database or its user",
    };
  return undefined;
}

/** The schema whose table of nodes says what each version reads. */
const TOLD_SINCE = 2;
const OLDER = `SELECT name, version FROM node
  WHERE stopped = 0 AND seen_at > extract(epoch FROM clock_timestamp()) * 1000 - ${LEASE_MS}
    AND (CASE WHEN told_epoch = epoch THEN reads ELSE 1 END) < $1 ORDER BY name`;
const older = z.array(z.object({ name: z.string(), version: z.string() }));

/** Throws `StartupRefused` where a machine runs whose version could no longer use the database. */
async function refuseBesideOlder(
  client: Client,
  { schema, name, minReader }: Migration & { readonly schema: number },
): Promise<void> {
  if (schema < TOLD_SINCE) return;
  const running = older.parse((await client.query(OLDER, [minReader])).rows);
  if (running.length === 0) return;
  const which = running.map((one) => `${one.name} (${one.version})`).join(", ");
  throw new StartupRefused([
    `The database needs the change ${name}, after which the version on ${which} cannot use it. Stop Flotilla there (\`flotilla drain --after-turn\` first, so that no turn is cut), and then start this version; a machine that was lost counts for ${LEASE_MS / 1000} seconds.`,
  ]);
}

/**
 * Runs the migrations that the database lacks, each in a transaction of its own. Of several processes that start at
 * once, one migrates, and the others wait for it. Throws `StartupRefused` before one that would end a machine that runs.
 */
export async function migrate(client: Client, known: readonly Migration[] = migrations): Promise<void> {
  for (;;) {
    await client.query("BEGIN");
    try {
      await client.query(`SELECT pg_advisory_xact_lock(${SCHEMA_LOCK})`);
      const { migrated } = await look(client);
      if (migrated === 0) await client.query(BOOKS);
      const schema = (await appliedTo(client)).at(-1)?.number ?? 0;
      const next = known[schema];
      if (next !== undefined) {
        await refuseBesideOlder(client, { schema, ...next });
        await client.query(next.sql);
        await client.query("INSERT INTO flotilla_migration (number, name, min_reader) VALUES ($1, $2, $3)", [
          schema + 1,
          next.name,
          next.minReader,
        ]);
      }
      await client.query("COMMIT");
      if (next === undefined) return;
    } catch (error) {
      await client.query("ROLLBACK").catch(() => {});
      throw error;
    }
  }
}

async function look(client: Client) {
  return server.parse((await client.query(SERVER)).rows[0]);
}

async function appliedTo(client: Client) {
  return kept.parse(
    (await client.query("SELECT number, min_reader FROM flotilla_migration ORDER BY number")).rows,
  );
}

const PARTS = /^CREATE (?:UNIQUE )?(?<type>TABLE|INDEX|TRIGGER|FUNCTION) (?<name>\w+)/gm;
const FOUND = `SELECT 'TABLE ' || relname AS part FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
  UNION ALL SELECT 'INDEX ' || relname FROM pg_class WHERE relkind = 'i' AND relnamespace = current_schema()::regnamespace
  UNION ALL SELECT 'TRIGGER ' || tgname FROM pg_trigger
  UNION ALL SELECT 'FUNCTION ' || proname FROM pg_proc WHERE pronamespace = current_schema()::regnamespace`;

/** Returns a fault for a table, index, trigger or function that somebody removed. */
async function lackingFault(client: Client, had: readonly Migration[]): Promise<Fault | undefined> {
  const { rows } = await client.query(FOUND);
  const found = new Set(rows.map(({ part }) => String(part)));
  const parts = had
    .flatMap(({ sql }) => [...sql.matchAll(PARTS)])
    .map(({ groups }) => `${groups?.["type"]} ${groups?.["name"]}`);
  const [first, ...more] = parts.filter((part) => !found.has(part));
  if (first === undefined) return undefined;
  return {
    what: `is damaged (it lacks the ${first.toLowerCase()}${more.length === 0 ? "" : `, and ${more.length} more`}); nothing in it was changed`,
    next: "Restore a backup (see Backup in docs/operations.md)",
  };
}
