import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { Probot, Server } from "probot";
import type { OpenStore } from "../src/adapters/store/database.ts";
import { observedStore } from "../src/adapters/store/observed-store.ts";
import { databaseIn } from "../src/adapters/store/registry.ts";
import { openStore } from "../src/adapters/store/sqlite/open.ts";
import type { Log } from "../src/domain/ports/log.ts";
import { createHttpServer } from "../src/http/http-server.ts";
import { systemClock } from "../src/server/system-clock.ts";
import { listenToOthers, tellsOthers } from "../src/server/wake-ups.ts";
import { createWebhookRoute } from "../src/webhooks/receive/webhook-route.ts";

/**
 * Runs one side of the comparison in its own process: `file` is our route with a store in the directory `place`,
 * `server` the same on the PostgreSQL database at the address `place`, `probot` an empty handler on Probot's own server
 * with minimal logging. Prints when it listens, and at the end how many webhooks it has received. The caller owns `place`.
 */
const [, , side, secret = "", port = "0", place = ""] = process.argv;
// The parent process has ended.
process.once("disconnect", () => process.exit());
const stop = side === "probot" ? await serveProbot() : await serveDurable();
await once(process, "message");
const began = performance.now();
const handled = await stop();
process.send?.({ seen: handled, stoppedInMs: performance.now() - began });
process.disconnect();

async function serveDurable(): Promise<() => Promise<number>> {
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const store = side === "file" ? await openStore({ path: join(place, "flotilla.db") }) : await onServer(log);
  let seen = 0;
  const route = createWebhookRoute({
    secret,
    previousSecret: undefined,
    deliveries: {
      async insert(batch) {
        await store.deliveries.insert(batch);
        seen += batch.length;
      },
    },
    clock: systemClock,
    log,
    onStored() {},
  });
  const server = createHttpServer([route], { log }).listen(Number(port), "127.0.0.1");
  await once(server, "listening");
  process.send?.({ ready: true });
  return async () => {
    server.closeAllConnections();
    server.close();
    await store.close();
    return seen;
  };
}

/** Opens a database that other processes may use, and tells them of what is stored, as Flotilla does. */
async function onServer(log: Log): Promise<OpenStore> {
  const opened = await databaseIn({ variables: { DATABASE_URL: place }, dataDir: "/nowhere" }).open({});
  listenToOthers(opened.changes, { clock: systemClock, log, act() {} });
  return observedStore(opened, [() => tellsOthers(opened.changes, systemClock)], log);
}

async function serveProbot(): Promise<() => Promise<number>> {
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  const options = { appId: 1, privateKey, secret, logLevel: "fatal", logFormat: "json" } as const;
  const { log } = await new Probot(options).ready();
  const server = new Server({ host: "127.0.0.1", port: Number(port), log, Probot: Probot.defaults(options) });
  let seen = 0;
  await server.load((app) => {
    app.on("issues.opened", () => {
      seen += 1;
    });
  });
  await server.start();
  process.send?.({ ready: true });
  return async () => {
    await server.stop();
    return seen;
  };
}
