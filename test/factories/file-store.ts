import { writeFileSync } from "node:fs";
import type { OpenOptions, OpenStore } from "../../src/adapters/store/database.ts";
import { openDatabase } from "../../src/adapters/store/sqlite/database.ts";
import { migrate } from "../../src/adapters/store/sqlite/migrate.ts";
import { migrations } from "../../src/adapters/store/sqlite/migrations/migrations.ts";
import { openStore } from "../../src/adapters/store/sqlite/open.ts";

let empty: Buffer | undefined;

/**
 * Opens a store in a file that does not exist yet. The file is a copy of an empty database: to migrate one takes three
 * times as long.
 */
export function fileStore(path: string, options: OpenOptions = {}): Promise<OpenStore> {
  empty ??= emptyDatabase();
  writeFileSync(path, empty, { flag: "wx", mode: 0o600 });
  return openStore({ path, ...options });
}

function emptyDatabase(): Buffer {
  const database = openDatabase(":memory:");
  try {
    migrate(database, migrations);
    return database.serialize();
  } finally {
    database.close();
  }
}
