import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DATABASES, databaseIn } from "../../../src/adapters/store/registry.ts";
import { delivery } from "./samples.ts";
import { temporaryDirectory } from "./temporary.ts";

const STORE = join(import.meta.dirname, "../../../src/adapters/store");

test("each folder of the store with an entry has one row, of its name", () => {
  const folders = readdirSync(STORE).filter((name) => existsSync(join(STORE, name, "entry.ts")));
  const names = DATABASES.map(({ name }) => name);
  expect(names).toHaveLength(folders.length);
  expect(new Set(names)).toEqual(new Set(folders));
});

test("settings that name no database have one in the data directory", () => {
  const { kind, at, files } = databaseIn({ variables: {}, dataDir: "/data" });
  expect(kind).toBe("sqlite");
  expect(at).toMatch(/^\/data\//);
  expect(files.filter((path) => !path.startsWith("/data/"))).toEqual([]);
  expect(files).toContain(at);
});

test("every file that a database writes in the data directory is named", async () => {
  const dataDir = temporaryDirectory();
  const database = databaseIn({ variables: {}, dataDir });
  const store = await database.open({});
  await store.deliveries.insert([delivery({ guid: "g1" })]);
  const written = readdirSync(dataDir).map((name) => join(dataDir, name));
  await store.close();
  expect(written.length).toBeGreaterThan(0);
  expect(written.filter((path) => !database.files.includes(path))).toEqual([]);
});

test("DATABASE_URL names a server, and is told without its password", () => {
  const url = "postgresql://app:se%40cret@db.example.com:6432/flotilla?sslmode=verify-full";
  const database = databaseIn({ variables: { DATABASE_URL: url }, dataDir: "/data" });
  expect(database).toMatchObject({
    kind: "postgres",
    at: "postgres://app@db.example.com:6432/flotilla",
    files: [],
  });
  const secrets = DATABASES.flatMap(({ secretsIn }) => secretsIn({ DATABASE_URL: url, PGPASSWORD: "other" }));
  expect(secrets).toEqual([url, "se%40cret", "se@cret", "other"]);
});

test.each([
  ["mysql://db/flotilla", "begins with mysql://"],
  ["not a url", "is no URL"],
  ["postgres:///", "names no database"],
])("a DATABASE_URL like %s is refused with what to write", async (url, what) => {
  const open = async () => databaseIn({ variables: { DATABASE_URL: url }, dataDir: "/data" }).open({});
  await expect(open()).rejects.toThrow(what);
});
