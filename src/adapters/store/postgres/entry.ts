import { existsSync, statSync } from "node:fs";
import { type ClientBase, DatabaseError, type PoolClient } from "pg";
import { DatabaseUnreachable, messageOf } from "../../../domain/kernel/errors.ts";
import type { Database, DatabaseEntry, Fault, LocatedFault } from "../database.ts";
import { connect, inOurWords } from "./connect.ts";
import { durabilityFaults, STANDBY_VARIABLE } from "./durability-faults.ts";
import { fillDatabase, snapshotOf } from "./fill.ts";
import { type Location, locationOf, secretsIn, URL_VARIABLE } from "./location.ts";
import { migrations } from "./migrations/migrations.ts";
import { openReadOnly, openStore, refuse, withClient } from "./open.ts";
import { schemaFault, writingFault } from "./schema.ts";
import { readSupportRows } from "./support-rows.ts";

const KIND = "postgres";

/** Keeps the database on a PostgreSQL server. */
export const postgres: DatabaseEntry = {
  name: KIND,
  variables: {
    [URL_VARIABLE]:
      "A PostgreSQL database to use in place of the file in the data directory, such as `postgres://flotilla@db.example.com/flotilla?sslmode=verify-full`. The password may be in it, in `PGPASSWORD`, or in `~/.pgpass`. See docs/postgresql.md.",
    [STANDBY_VARIABLE]:
      "`allow`: Flotilla also starts when the server has standbys and commits wait for none of them. After a failover, acknowledged work may then be missing.",
  },
  address: { variable: URL_VARIABLE, example: "postgres://flotilla@db.example.com/flotilla" },
  secretsIn,
  databaseIn: ({ variables }) => {
    const text = variables[URL_VARIABLE];
    if (text === undefined || text === "") return undefined;
    return databaseOf(locationOf(text), { allowsAsyncStandby: variables[STANDBY_VARIABLE] === "allow" });
  },
};

function databaseOf(location: Location, options: { readonly allowsAsyncStandby: boolean }): Database {
  /** Runs `work` on a connection of its own. */
  const asking = async <T>(work: (client: PoolClient) => Promise<T>): Promise<T> => {
    refuseFaulty(location);
    const pool = connect(location, 1);
    try {
      return await withClient(pool, location, work);
    } finally {
      await pool.end();
    }
  };
  return {
    kind: KIND,
    at: location.told,
    usedBy: "several_nodes",
    reads: migrations.length,
    files: [],
    exists: () =>
      asking(async (client) => {
        const { rows } = await client.query("SELECT to_regclass('flotilla_migration') IS NOT NULL AS made");
        return rows[0]?.made === 1;
      }),
    open: async (given) => {
      refuseFaulty(location);
      return openStore({ location, ...given });
    },
    openReadOnly: async () => {
      refuseFaulty(location);
      return openReadOnly(location);
    },
    schemaFault: async () => location.fault ?? (await asking((client) => schemaFault(client))),
    readingFault,
    damage: () => asking(damageIn),
    durabilityFaults: () => faultsOf(location, asking, options),
    copyTo: async (copy, now) => {
      await asking((client) => snapshotOf(client, (rows) => copy.fillFrom(rows, now)));
      const reader = await copy.openReadOnly();
      const violations = await reader.checkInvariants(now);
      await reader.close();
      const bytes = copy.files.filter((path) => existsSync(path)).map((path) => statSync(path).size);
      return {
        bytes: bytes.reduce((sum, size) => sum + size, 0),
        fromJournal: 0,
        damage: await copy.damage(),
        violations,
      };
    },
    snapshot: (work) => asking((client) => snapshotOf(client, work)),
    fillFrom: (rows) =>
      asking(async (client) => {
        refuse(location, (await writingFault(client)) ?? (await schemaFault(client)));
        return fillDatabase(client, rows, location.told);
      }),
    supportRows: (given) => asking((client) => readSupportRows(client, given)),
    sizes: async () => ({}),
  };
}

function readingFault(error: unknown): Fault | undefined {
  if (error instanceof DatabaseUnreachable)
    return { what: `cannot be read (${messageOf(error.cause)})`, next: error.advice ?? "" };
  if (!(error instanceof DatabaseError)) return undefined;
  return {
    what: `cannot be read (${error.message})`,
    next: NOT_LET_IN.test(error.code ?? "")
      ? `Create the database and its user, or correct ${URL_VARIABLE} (see docs/postgresql.md)`
      : "Look at it with `flotilla doctor`, and at the log of the PostgreSQL server",
  };
}

/** What the server answers to a user, a password or a database that it does not accept (manual, appendix A). */
const NOT_LET_IN = /^(?:28|3D)/;

/** Returns what the server has found damaged itself. */
async function damageIn(client: Pick<ClientBase, "query">): Promise<readonly string[]> {
  const { rows } = await client.query(
    "SELECT coalesce(checksum_failures, 0) AS failures FROM pg_stat_database WHERE datname = current_database()",
  );
  const failures = Number(rows[0]?.failures ?? 0);
  return failures === 0 ? [] : [`${failures} pages failed their checksums`];
}

async function faultsOf(
  location: Location,
  asking: <T>(work: (client: PoolClient) => Promise<T>) => Promise<T>,
  options: { readonly allowsAsyncStandby: boolean },
): Promise<readonly LocatedFault[]> {
  if (location.fault !== undefined) return [{ about: URL_VARIABLE, ...location.fault }];
  try {
    return await asking(async (client) => {
      const fault = await writingFault(client);
      const unsafe = await durabilityFaults(client, location, options);
      return fault === undefined ? unsafe : [{ about: location.told, ...fault }, ...unsafe];
    });
  } catch (error) {
    const fault = readingFault(inOurWords(error, location));
    if (fault === undefined) throw error;
    return [{ about: location.told, ...fault }];
  }
}

function refuseFaulty(location: Location): void {
  if (location.fault !== undefined) refuse({ ...location, told: URL_VARIABLE }, location.fault);
}
