import type { OpenStore } from "../../src/adapters/store/database.ts";
import { openDatabase } from "../../src/adapters/store/sqlite/database.ts";
import { migrate } from "../../src/adapters/store/sqlite/migrate.ts";
import { migrations } from "../../src/adapters/store/sqlite/migrations/migrations.ts";
import { storeOn } from "../../src/adapters/store/sqlite/open.ts";

let kept: { readonly empty: () => void; readonly store: OpenStore } | undefined;

/**
 * The store on a database in memory in which nothing has happened yet. It is one and the same for all runs of a
 * process, emptied each time: to make one again, with each of its statements, takes longer than a short run.
 */
export function emptyStore(): OpenStore {
  kept ??= open();
  kept.empty();
  return kept.store;
}

function open(): NonNullable<typeof kept> {
  const database = openDatabase(":memory:");
  migrate(database, migrations);
  const names = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .pluck()
    .all()
    .toReversed();
  const wiping = names.map((name) => database.prepare(`DELETE FROM ${String(name)}`));
  const empty = (): void => {
    for (const wipe of wiping) wipe.run();
  };
  return { empty, store: storeOn(database) };
}
