import { Client } from "pg";
import { describe, inject } from "vitest";
import type { Database, OpenOptions, OpenStore } from "../../src/adapters/store/database.ts";
import { databaseIn } from "../../src/adapters/store/registry.ts";

const server = inject("postgres");

/** For tests that need a PostgreSQL server. */
export const describeWithPostgres = server === null ? describe.skip : describe;

/** Databases that no test uses, empty. */
const unused: string[] = [];
let made = 0;

/** Returns the URL of a database that does not hold anything, not even tables. */
export async function newDatabase(): Promise<string> {
  made += 1;
  const name = `test_${process.pid}_${made}`;
  await asAdmin("postgres", (admin) => admin.query(`CREATE DATABASE ${name}`));
  return urlOf(name);
}

/** Returns access to the database at this URL. `variables`: more of the environment. */
export function databaseAt(url: string, variables: Readonly<Record<string, string>> = {}): Database {
  return databaseIn({ variables: { DATABASE_URL: url, ...variables }, dataDir: "/nowhere" });
}

/** Opens an empty store; closed, its database serves the next test. */
export async function openPostgres(options: OpenOptions = {}): Promise<OpenStore> {
  const url = unused.pop() ?? (await newDatabase());
  const store = await databaseAt(url).open(options);
  return {
    ...store,
    close: async () => {
      await store.close();
      await asAdmin(nameOf(url), (admin) => admin.query(EMPTY));
      unused.push(url);
    },
  };
}

/** Runs `work` as the server's administrator, connected to this database. */
export async function asAdmin<T>(database: string, work: (admin: Client) => Promise<T>): Promise<T> {
  const admin = new Client({ connectionString: urlOf(database) });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}

export const nameOf = (url: string): string => new URL(url).pathname.slice(1);
const urlOf = (name: string): string => `${server ?? ""}/${name}`;

/** Takes a third of the time of TRUNCATE, which makes each table's files anew. */
const EMPTY = `DO $$ DECLARE of TEXT; BEGIN
  SET LOCAL session_replication_role = replica;
  FOR of IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename NOT IN ('flotilla_migration', 'server') LOOP
    EXECUTE format('DELETE FROM %I', of);
  END LOOP;
  FOR of IN SELECT sequencename FROM pg_sequences WHERE last_value IS NOT NULL LOOP
    EXECUTE format('ALTER SEQUENCE %I RESTART', of);
  END LOOP;
END $$`;

/** Parses what the server answers as the connections of the store do. */
export function asFlotillaReads(oid: number) {
  if (oid === 20 || oid === 1700) return Number;
  return oid === 16 ? (text: string) => (text === "t" ? 1 : 0) : (text: string) => text;
}
