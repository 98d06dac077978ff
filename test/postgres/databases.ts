import { Client } from "pg";
import { describe, inject } from "vitest";
import type { Database } from "../../src/adapters/store/database.ts";
import { databaseIn } from "../../src/adapters/store/registry.ts";

const server = inject("postgres");

/** For tests that need a PostgreSQL server. */
export const describeWithPostgres = server === null ? describe.skip : describe;

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

/** Parses what the server answers as the connections of the store do. */
export function asFlotillaReads(oid: number) {
  if (oid === 20 || oid === 1700) return Number;
  return oid === 16 ? (text: string) => (text === "t" ? 1 : 0) : (text: string) => text;
}
