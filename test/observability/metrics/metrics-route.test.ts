import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { databaseIn } from "../../../src/adapters/store/registry.ts";
import { createHttpServer, type Route } from "../../../src/http/http-server.ts";
import { TokenGate } from "../../../src/http/token-gate.ts";
import { createMetrics } from "../../../src/observability/metrics/create-metrics.ts";
import { task as aTask, delivery, effect, insertAgent } from "../../adapters/store/samples.ts";
import { CLAIM, OURS } from "../../factories/leases.ts";
import { createFakeRunner } from "../../fakes/runner.ts";
import { samplesIn } from "./samples-in.ts";

const NOW = 60_000;
const github = {
  limitWaits: () =>
    [
      { account: "*", what: "everything", until: NOW + 30_000 },
      { account: "app", what: "content", until: NOW + 90_000 },
    ] as const,
  limitsLeft: () => ({ points: 895, contentOfMinute: 79, contentOfHour: 480 }),
};

/** Mirrors that grow by a byte each time that they are counted. */
function growingMirrors() {
  let bytes = 4096;
  return { mirrors: async () => ({ bytes: (bytes += 1), files: 1 }) };
}

const hook: Route = async ({ response, target }) =>
  void response.writeHead(target.path === "/hook" ? 202 : 404).end();

async function served() {
  const directory = mkdtempSync(join(tmpdir(), "metrics-"));
  const database = databaseIn({ variables: {}, dataDir: directory });
  const meters = createMetrics();
  const store = await database.open({});
  const logged: string[] = [];
  const disk = growingMirrors();
  const at = { now: NOW };
  const log = {
    debug() {},
    info() {},
    warn() {},
    error: (_: object, message: string) => void logged.push(message),
  };
  const route = meters.route({
    webhookPath: "/hook",
    gate: new TokenGate("secret", { now: () => 0, log }),
    moment: () => ({ store, github, database, dataDir: directory, disk, ready: true, now: at.now }),
    log,
  });
  const server = createHttpServer([route, hook], { log }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port }: AddressInfo = JSON.parse(JSON.stringify(server.address()));
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await store.close();
    rmSync(directory, { recursive: true });
  });
  const url = `http://127.0.0.1:${port}`;
  const get = (init: RequestInit = {}) =>
    fetch(`${url}/metrics`, { headers: { authorization: "Bearer secret" }, ...init });
  const scrape = async () => samplesIn(await (await get()).text());
  return { url, store, meters, get, scrape, logged, at };
}

test("needs the token, and is read only", async () => {
  const { get, url } = await served();
  expect((await get({ headers: {} })).status).toBe(401);
  expect((await get({ headers: { authorization: "Bearer secre" } })).status).toBe(401);
  expect((await get({ method: "POST" })).status).toBe(405);
  expect((await fetch(`${url}/metrics/x`)).status).toBe(404);
  const answer = await get();
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toContain("text/plain; version=0.0.4");
});

test("tells what waits at this moment, and no more once it is done", async () => {
  const { store, scrape } = await served();
  await insertAgent(store, { state: "SLEEPING" });
  await insertAgent(store, { state: "SLEEPING", issue: 43 });
  await store.deliveries.insert([delivery({ guid: "a", receivedAt: 20_000 })]);
  const [id = 0] = await store.effects.add([effect({ key: "k", createdAt: 50_000 })]);
  const told = async () =>
    Object.fromEntries(
      (await scrape())
        .filter(({ name }) => /^flotilla_(agents|inbox|outbox|github|ready)/.test(name))
        .map(({ name, labels, value }) => [[name, ...Object.values(labels)].join(" "), value]),
    );
  expect(await told()).toEqual({
    "flotilla_agents feat-dev SLEEPING": 2,
    "flotilla_inbox_deliveries pending": 1,
    flotilla_inbox_oldest_seconds: 40,
    "flotilla_outbox_effects add_labels pending": 1,
    flotilla_outbox_oldest_seconds: 10,
    flotilla_github_points_left: 895,
    "flotilla_github_content_writes_left minute": 79,
    "flotilla_github_content_writes_left hour": 480,
    "flotilla_github_held_seconds everything": 30,
    "flotilla_github_held_seconds content": 90,
    flotilla_ready: 1,
  });
  await store.deliveries.claim({ ...CLAIM, now: NOW, limit: 1 });
  await store.deliveries.settle("a", OURS.token, "done", null, NOW);
  await store.effects.lease({ ...OURS, now: NOW, leaseMs: () => 1, limit: 1 });
  await store.effects.settle(id, OURS.token, { state: "done", result: null, error: null, at: NOW });
  const after = await told();
  expect(after).not.toHaveProperty(["flotilla_outbox_effects add_labels pending"]);
  expect(after).toMatchObject({ flotilla_inbox_oldest_seconds: 0, flotilla_outbox_oldest_seconds: 0 });
});

test("counts what the mirrors take, and again only after ten minutes", async () => {
  const { scrape, at } = await served();
  const told = async () => (await scrape()).find(({ name }) => name === "flotilla_mirrors_bytes")?.value;
  expect(await told()).toBe(4097);
  at.now += 599_999;
  expect(await told()).toBe(4097);
  at.now += 1;
  expect(await told()).toBe(4098);
});

test("tells what the process and the database use", async () => {
  const { scrape } = await served();
  await scrape();
  const samples = await scrape();
  const of = (name: string) => samples.find((sample) => sample.name === name)?.value ?? 0;
  expect(of("process_resident_memory_bytes")).toBeGreaterThan(1e7);
  expect(of("process_start_time_seconds")).toBeGreaterThan(1e9);
  expect(samples.map(({ name }) => name)).toContain("nodejs_eventloop_lag_p99_seconds");
  const parts = samples.filter(({ name }) => name === "flotilla_database_bytes");
  expect(parts.map(({ labels }) => labels["part"])).toEqual(["database", "log", "inbox"]);
  expect(parts[0]?.value).toBeGreaterThan(4096);
  expect(parts[1]?.value).toBeGreaterThan(0);
});

test("measures how long webhooks wait that are stored, and nothing else that is asked", async () => {
  const { url, scrape } = await served();
  await fetch(`${url}/hook`);
  await fetch(`${url}/else`, { method: "POST" });
  await fetch(`${url}/hook`, { method: "POST" });
  const count = (await scrape()).find(({ name }) => name === "flotilla_webhook_seconds_count");
  expect(count?.value).toBe(1);
});

test("counts the processes that are begun under the sandbox, and those that are not", async () => {
  const { meters, scrape } = await served();
  const runner = meters.runner({
    ...createFakeRunner(),
    description: "",
    confine: () => Promise.reject(new Error("no sandbox")),
    port: () => Promise.reject(new Error("no sandbox")),
    memoryEnd: () => null,
    countMarked: () => Promise.resolve(0),
  });
  const command = { file: "true", args: [], cwd: "/", env: {} };
  const reach = { writable: [], readable: [], hosts: [], registries: false };
  await expect(runner.confine(command, reach)).rejects.toThrow("no sandbox");
  const options = { ...reach, mark: "m", timeoutMs: 1, signal: AbortSignal.timeout(1000), maxOutputBytes: 1 };
  await runner.run(command, options);
  const starts = (await scrape()).filter(({ name }) => name === "flotilla_sandbox_starts_total");
  expect(starts.map(({ labels, value }) => [labels["use"], labels["outcome"], value])).toEqual([
    ["agent", "failed", 1],
    ["command", "started", 1],
  ]);
});

test("says that it failed, and why only in the log", async () => {
  const { get, store, logged } = await served();
  store.backlog.waiting = () => Promise.reject(new Error("disk on fire"));
  const answer = await get();
  expect([answer.status, await answer.text()]).toEqual([500, "The log says more\n"]);
  expect(logged).toEqual(["metrics not read"]);
});

test("counts what waits for people, by kind, and how long the oldest has waited", async () => {
  const { store, scrape } = await served();
  const asks = { state: "SLEEPING", sleepReason: "question" } as const;
  await insertAgent(store, { ...asks, issue: 1, sleepingSince: NOW - 30_000 });
  await insertAgent(store, { ...asks, issue: 2, sleepingSince: NOW - 90_000 });
  const { id } = await insertAgent(store, { state: "COMPLETED", issue: 3, endedAt: NOW - 5_000 });
  await store.records.insert("task", aTask({ state: "READY_FOR_REVIEW", issue: 3, assigneeId: id }));
  const samples = await scrape();
  const of = (name: string) =>
    samples
      .filter((sample) => sample.name === `flotilla_${name}` && sample.value > 0)
      .map(({ labels, value }) => `${labels["kind"]} ${value}`);
  expect(of("waits_for_people")).toEqual(["question 2", "work 1"]);
  expect(of("waits_for_people_oldest_seconds")).toEqual(["question 90", "work 5"]);
});
