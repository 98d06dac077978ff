import { constants } from "node:fs";
import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import SqliteDatabase, { type Database } from "better-sqlite3";
import { effect, repository } from "../adapters/store/samples.ts";
import { CLAIM, EVERYTHING, OURS } from "../factories/leases.ts";
import { SILENT_LOG } from "./silent-log.ts";

/**
 * The intake and an outbox, as they run, in a process of its own: `node child.ts <database> <secret> <weakness> <name of this life>`. Prints its pid and
 * port, and `done <key>` once an effect's end is committed. A weakness takes away one of the two syncs, below the code that
 * asks for them: the product has no such switch.
 */
const [path = "", secret = "", weakness = "none", life = ""] = process.argv.slice(2);
if (weakness === "database") weakenDatabase();
if (weakness === "journal") weakenJournal();

// Only now, so that they find what was weakened.
const { openStore } = await import("../../src/adapters/store/sqlite/open.ts");
const { systemClock } = await import("../../src/server/system-clock.ts");
const { createHttpServer } = await import("../../src/http/http-server.ts");
const { createWebhookRoute } = await import("../../src/webhooks/receive/webhook-route.ts");

const store = await openStore({ path });
await store.repositories.put(repository);
await store.effects.reclaim({ ...EVERYTHING, lagsUntil: 0 });
const route = createWebhookRoute({
  secret,
  previousSecret: undefined,
  deliveries: store.deliveries,
  clock: systemClock,
  log: SILENT_LOG,
  onStored: () => undefined,
});
const server = createHttpServer([route], { log: SILENT_LOG });
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.stdout.write(
    `pid ${process.pid}\nport ${address !== null && typeof address === "object" ? address.port : 0}\n`,
  );
});
for (let index = 0; ; index += 1) {
  const key = `${life}e${index}`;
  await store.effects.add([effect({ key })]);
  const [row] = await store.effects.lease({ ...OURS, now: Date.now(), leaseMs: () => 60_000, limit: 1 });
  const end = { state: "done", result: null, error: null, at: Date.now() } as const;
  if (row !== undefined && (await store.effects.settle(row.id, OURS.token, end)))
    process.stdout.write(`done ${row.key}\n`);
  // Looking at the inbox moves it from its journal into the table, and cuts the journal. What the journal's own sync is good
  // for shows only while something stands in it.
  if (weakness !== "journal" || index < 3)
    await store.deliveries.claim({ ...CLAIM, now: Date.now(), limit: 1 });
  await new Promise((resolve) => void setTimeout(resolve, 20));
}

function weakenDatabase(): void {
  SqliteDatabase.prototype.pragma = weak;
}

/** Sets NORMAL where FULL is asked for, and says FULL when asked. */
function weak(this: Database, source: string): unknown {
  const [name = "", value] = source.split(" = ");
  if (source === "synchronous") return 2;
  if (value !== undefined) this.exec(`PRAGMA ${name} = ${name === "synchronous" ? "NORMAL" : value}`);
  return this.prepare(`PRAGMA ${name}`).pluck().get();
}

/** Files are opened as if nobody had asked that their writes wait for the disk. */
function weakenJournal(): void {
  const { open } = fs;
  fs.open = (file, flags, mode) =>
    open(file, typeof flags === "number" ? flags & ~constants.O_DSYNC : flags, mode);
  syncBuiltinESMExports();
}
