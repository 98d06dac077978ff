import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DATABASES, databaseAt, databaseLocation } from "../../../src/adapters/store/registry.ts";
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
  const location = databaseLocation({ variables: {}, dataDir: "/data" });
  const { kind, at, files } = databaseAt(location);
  expect(location).toMatch(new RegExp(`^${kind}:`));
  expect(at).toMatch(/^\/data\//);
  expect(files.filter((path) => !path.startsWith("/data/"))).toEqual([]);
  expect(files).toContain(at);
});

test("every file that a database writes in the data directory is named", async () => {
  const dataDir = temporaryDirectory();
  const database = databaseAt(databaseLocation({ variables: {}, dataDir }));
  const store = await database.open({});
  await store.deliveries.insert([delivery({ guid: "g1" })]);
  const written = readdirSync(dataDir).map((name) => join(dataDir, name));
  await store.close();
  expect(written.length).toBeGreaterThan(0);
  expect(written.filter((path) => !database.files.includes(path))).toEqual([]);
});

test("a location of no kind is an error that names it", () => {
  expect(() => databaseAt("none:/data")).toThrow("there is no kind of database for none:/data");
  for (const { name } of DATABASES) expect(() => databaseAt(`${name}2:/data`)).toThrow("there is no kind");
});
