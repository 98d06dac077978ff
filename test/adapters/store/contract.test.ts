import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "better-sqlite3";
import { afterAll, expect, test } from "vitest";
import { databaseIn } from "../../../src/adapters/store/registry.ts";
import { databaseContract } from "../../contracts/database.ts";
import { storeContract } from "../../contracts/store.ts";
import { FAST_DIRECTORY } from "../../factories/fast-directory.ts";
import { fileStore } from "../../factories/file-store.ts";
import { memoryStoreAndDatabase } from "../../factories/memory-store.ts";

const dir = mkdtempSync(join(FAST_DIRECTORY, "flotilla-store-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
let files = 0;

storeContract("file", () => {
  files += 1;
  return fileStore(join(dir, `${files}.db`));
});

databaseContract("sqlite", {
  fresh: () => {
    files += 1;
    const dataDir = join(dir, String(files));
    mkdirSync(dataDir);
    return databaseIn({ variables: {}, dataDir });
  },
  copied: (directory) => databaseIn({ variables: {}, dataDir: directory }),
});

const tables = new Set<string>();
const filled = new Set<string>();

storeContract("memory", async () => {
  const { store, database } = memoryStoreAndDatabase();
  return {
    ...store,
    close: async () => {
      noteFilled(database);
      await store.close();
    },
  };
});

test("the contract writes into every table of the schema but the one that a backup alone has rows in", () => {
  expect(tables.size).toBeGreaterThan(40);
  expect([...tables].filter((table) => !filled.has(table))).toEqual(["restored"]);
});

function noteFilled(database: Database): void {
  const names = database.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck();
  for (const name of names.all()) {
    tables.add(name);
    if (database.prepare(`SELECT 1 FROM "${name}" LIMIT 1`).get() !== undefined) filled.add(name);
  }
}
