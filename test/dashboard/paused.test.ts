import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { OpenStore } from "../../src/adapters/store/database.ts";
import { createApi } from "../../src/dashboard/api/api.ts";
import { EventStreams } from "../../src/dashboard/api/event-streams.ts";
import type { GitHubWait } from "../../src/domain/ports/github-app.ts";
import { createHttpServer } from "../../src/http/http-server.ts";
import { TokenGate } from "../../src/http/token-gate.ts";
import { memoryStore } from "../factories/memory-store.ts";
import { createFakeClock, type FakeClock } from "../fakes/clock.ts";
import { pageParts } from "./page-parts.ts";

const TOKEN = "a token of the tests";
const quiet = { debug() {}, info() {}, warn() {}, error() {} };

let store: OpenStore;
let server: Server;
let url: string;
let waits: readonly GitHubWait[];
let clock: FakeClock;

beforeEach(async () => {
  waits = [];
  clock = createFakeClock(0);
  store = memoryStore();
  const events = new EventStreams({ store, clock: createFakeClock(0), log: quiet });
  const api = createApi({
    isUrgent: () => false,
    store,
    events,
    gate: new TokenGate(TOKEN, { now: () => 0, log: quiet }),
    notReady: () => Promise.resolve(null),
    limitWaits: () => waits,
    page: pageParts(),
    clock,
    log: quiet,
  });
  server = createHttpServer([api], { log: quiet }).listen(0, "127.0.0.1");
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

test("a process whose database is away lives, and takes no work", async () => {
  const list = vi.spyOn(store.scopePauses, "list").mockRejectedValue(new Error("the server is away"));
  expect(await get("/healthz", {})).toEqual({ status: "ok", paused: "unknown" });
  const ready = await fetch(`${url}/readyz`);
  expect(ready.status).toBe(503);
  expect(await ready.json()).toEqual({ status: "not_ready", why: "database_away" });
  const asked = Promise.withResolvers<void>();
  list.mockImplementation(() => {
    asked.resolve();
    return Promise.withResolvers<never>().promise;
  });
  const answer = get("/healthz", {});
  await asked.promise;
  clock.advance(2_000);
  expect(await answer).toEqual({ status: "ok", paused: "unknown" });
});

test("a flood of health checks asks a database that hangs once in two seconds", async () => {
  const list = vi.spyOn(store.scopePauses, "list").mockReturnValue(Promise.withResolvers<never>().promise);
  let here = 0;
  server.on("request", () => (here += 1));
  const flood = async () => {
    here = 0;
    const answers = Array.from({ length: 50 }, () => get("/healthz", {}));
    await expect.poll(() => here).toBe(50);
    clock.advance(2_000);
    return Promise.all(answers);
  };
  expect(await flood()).toEqual(Array.from({ length: 50 }, () => ({ status: "ok", paused: "unknown" })));
  expect(list).toHaveBeenCalledTimes(1);
  await flood();
  expect(list).toHaveBeenCalledTimes(2);
});

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

test("says for how many minutes GitHub's limits hold something back, and names no account", async () => {
  const free = { status: "ready", paused: "none", github: { held: "nothing", minutes_left: 0 } };
  expect(await get("/readyz", {})).toEqual(free);
  waits = [{ account: "installation 5", what: "content", until: 150_000 }];
  const held = { github: { held: "content", minutes_left: 3 } };
  expect(await get("/readyz", {})).toMatchObject(held);
  waits = [...waits, { account: "*", what: "everything", until: 60_000 }];
  expect(await get("/readyz", {})).toMatchObject({
    github: { held: "everything", minutes_left: 1 },
  });
});
