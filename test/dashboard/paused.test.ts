import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createApi } from "../../src/dashboard/api.ts";
import { EventStreams } from "../../src/dashboard/event-streams.ts";
import { type OpenStore, openStore } from "../../src/store/open.ts";
import { createFakeClock } from "../fakes/clock.ts";

const TOKEN = "a token of the tests";
const quiet = { debug() {}, info() {}, warn() {}, error() {} };

let store: OpenStore;
let server: Server;
let url: string;

beforeEach(async () => {
  store = await openStore({ path: ":memory:" });
  const events = new EventStreams({ store, clock: createFakeClock(0), log: quiet });
  const api = createApi({
    store,
    events,
    token: TOKEN,
    notReady: () => Promise.resolve(null),
    limitWaits: () => [],
    clock: createFakeClock(0),
    log: quiet,
  });
  server = createServer((request, response) => void api(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port }: AddressInfo = JSON.parse(JSON.stringify(server.address()));
  url = `http://127.0.0.1:${port}`;
});

afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await store.close();
});

async function get(path: string, headers: Record<string, string>): Promise<unknown> {
  return (await fetch(`${url}${path}`, { headers })).json();
}

test("a pause is seen without the token, and what it is with it", async () => {
  const by = { holder: "person", by: "alice", since: 1_766_356_800_000 } as const;
  await store.scopePauses.add({ scope: "repository:7", reason: null, ...by });
  expect(await get("/healthz", {})).toEqual({ status: "ok", paused: "some" });
  await store.scopePauses.add({ scope: "all", reason: "too dear", ...by });
  expect(await get("/healthz", {})).toMatchObject({ paused: "all" });
  expect(await get("/readyz", {})).toMatchObject({ status: "ready", paused: "all" });
  expect(await get("/api/agents", { authorization: `Bearer ${TOKEN}` })).toMatchObject({
    paused: [
      { scope: "repository:7", by: "alice", reason: null },
      {
        scope: "all",
        holder: "person",
        reason: "too dear",
        since: "2025-12-21T22:40:00.000Z",
        change: expect.stringContaining("flotilla resume --all"),
      },
    ],
  });
});
