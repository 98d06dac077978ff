import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { OpenStore } from "../../src/adapters/store/database.ts";
import { createApi } from "../../src/dashboard/api/api.ts";
import { EventStreams } from "../../src/dashboard/api/event-streams.ts";
import { newAgentRecord } from "../../src/domain/agents/agent.ts";
import { blankRun } from "../../src/domain/agents/run.ts";
import { createHttpServer } from "../../src/http/http-server.ts";
import { TokenGate } from "../../src/http/token-gate.ts";
import { memoryStore } from "../factories/memory-store.ts";
import { createFakeClock } from "../fakes/clock.ts";
import { pageParts } from "./page-parts.ts";

const TOKEN = "a token of the tests";
const quiet = { debug() {}, info() {}, warn() {}, error() {} };

let store: OpenStore;
let server: Server;
let url: string;
let why: string | null;

beforeEach(async () => {
  store = memoryStore();
  why = null;
  const api = createApi({
    isUrgent: () => false,
    store,
    events: new EventStreams({ store, clock: createFakeClock(0), log: quiet }),
    gate: new TokenGate(TOKEN, { now: () => 0, log: quiet }),
    notReady: async () => why,
    limitWaits: () => [],
    page: pageParts(),
    clock: createFakeClock(0),
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

async function get(path: string, headers: Record<string, string> = { authorization: `Bearer ${TOKEN}` }) {
  const answer = await fetch(`${url}${path}`, { headers });
  const body: unknown = await answer.json();
  return { status: answer.status, body, headers: answer.headers };
}

async function seed() {
  const repository = {
    id: 7,
    owner: "acme",
    name: "app",
    installationId: 1,
    private: true,
    defaultBranch: "main",
  };
  await store.repositories.put(repository);
  const agent = await store.records.insert("agent", {
    ...newAgentRecord,
    repositoryId: 7,
    name: "feat-dev-issue-42",
    role: "feat-dev",
    issue: 42,
    coder: true,
    branch: "flotilla/feat-dev/issue-42",
    prNumber: 43,
    state: "SLEEPING",
    sleepReason: "blocked",
    blockedBy: [41],
    createdAt: 1000,
    sleepingSince: 2000,
  });
  await store.records.insert("run", {
    ...blankRun,
    agentId: agent.id,
    repositoryId: 7,
    issue: 42,
    state: "waiting_agent",
  });
  await store.transitions.add({
    at: 2000,
    machine: "agent",
    recordId: agent.id,
    agentId: agent.id,
    repositoryId: 7,
    issue: 42,
    actor: "agent",
    event: "BLOCKED",
    from: "ACTIVE",
    to: "SLEEPING",
    reason: "#41: first that",
    evidence: null,
    delivery: null,
  });
  await store.decisions.add({
    at: 3000,
    repositoryId: 7,
    issue: 42,
    agentId: agent.id,
    rule: "slot",
    reason: "the only slot is in use",
    change: "it starts automatically",
    inputs: { state: "CREATED" },
    delivery: "guid-1",
  });
  await store.deliveries.insert([
    {
      guid: "guid-1",
      event: "issues",
      action: "opened",
      installationId: 1,
      repositoryId: 7,
      lane: "7#42",
      payload: "{}",
      receivedAt: 500,
    },
  ]);
  return agent;
}

describe("health", () => {
  test("needs no token and says when it is not ready, and why", async () => {
    expect(await get("/healthz", {})).toMatchObject({ status: 200, body: { status: "ok", paused: "none" } });
    expect(await get("/readyz", {})).toMatchObject({ status: 200, body: { status: "ready" } });
    why = "stopping";
    expect(await get("/readyz", {})).toMatchObject({
      status: 503,
      body: { status: "not_ready", why: "stopping" },
    });
  });
});

describe("the API", () => {
  test.each([
    ["no token", {}],
    ["a wrong token", { authorization: "Bearer something else" }],
    ["another scheme", { authorization: `Basic ${TOKEN}` }],
  ])("answers 401 to %s, with what to send", async (_, headers) => {
    const { status, body, headers: answered } = await get("/api/agents", headers);
    expect(status).toBe(401);
    expect(body).toMatchObject({ error: "unauthorized" });
    expect(answered.get("www-authenticate")).toBe("Bearer");
  });

  test("shows an agent under its key with what it waits for", async () => {
    await seed();
    const { status, body, headers } = await get("/api/agents");
    expect(status).toBe(200);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(body).toMatchObject({
      agents: [
        {
          key: "acme/app:feat-dev-issue-42",
          repository: "acme/app",
          role: "feat-dev",
          issue: 42,
          attempt: 1,
          state: "SLEEPING",
          phase: "waiting_agent",
          branch: "flotilla/feat-dev/issue-42",
          pr: 43,
          sleep_reason: "blocked",
          blocked_by: [41],
          created_at: "1970-01-01T00:00:01.000Z",
          active_since: null,
        },
      ],
    });
  });

  test("filters by state, and finds one by its URL-encoded key", async () => {
    await seed();
    expect((await get("/api/agents?state=ACTIVE")).body).toEqual({ agents: [], next: null, paused: [] });
    const key = encodeURIComponent("acme/app:feat-dev-issue-42");
    expect((await get(`/api/agents/${key}`)).body).toMatchObject({ agent: { issue: 42 } });
    expect((await get(`/api/agents/${key}/transitions`)).body).toMatchObject({
      transitions: [
        { machine: "agent", agent: "feat-dev-issue-42", event: "BLOCKED", from: "ACTIVE", to: "SLEEPING" },
      ],
    });
  });

  test("gives the transitions of all after an id, each with its agent's role", async () => {
    await seed();
    const { body } = await get("/api/transitions?after=0");
    expect(body).toMatchObject({ transitions: [{ id: 1, role: "feat-dev", issue: 42 }] });
    expect((await get("/api/transitions?after=1")).body).toEqual({ transitions: [], next: null });
    expect((await get("/api/transitions?after=nonsense")).status).toBe(400);
  });

  test("gives the decisions about an issue and the deliveries", async () => {
    await seed();
    expect((await get("/api/decisions?issue=acme/app%2342")).body).toMatchObject({
      decisions: [{ rule: "slot", reason: "the only slot is in use", change: "it starts automatically" }],
    });
    expect((await get("/api/deliveries")).body).toMatchObject({
      deliveries: [{ guid: "guid-1", event: "issues", action: "opened", state: "pending", attempts: 0 }],
    });
  });

  test("asks for the right form of an issue", async () => {
    expect(await get("/api/decisions")).toMatchObject({ status: 400, body: { error: "invalid_argument" } });
    expect(await get("/api/decisions?issue=acme%2342")).toMatchObject({ status: 400 });
  });

  test.each([
    "/api/nothing",
    "/api/agents/nobody",
    "/api/agents/acme%2Fapp:nobody",
    "/api/agents/acme%2Fother:feat-dev-issue-42",
    "/api/agents/acme%2Fapp:feat-dev-issue-42/nothing",
    "/api/agents/acme%2Fapp:feat-dev-issue-42/transitions/1",
    "/api/deliveries/guid-1",
    "/api/decisions?issue=acme/other%231",
  ])("answers 404 with a hint to %s", async (path) => {
    await seed();
    expect(await get(path)).toMatchObject({ status: 404, body: { error: "not_found" } });
  });

  test("is read with GET", async () => {
    const answer = await fetch(`${url}/api/agents`, {
      method: "POST",
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toBe("GET");
  });

  test("leaves other paths to others", async () => {
    expect(await (await fetch(`${url}/`)).text()).toBe("Not found\n");
  });

  test("says nothing of a failure inside", async () => {
    await store.close();
    const { status, body } = await get("/api/agents");
    expect(status).toBe(500);
    expect(body).toEqual({ error: "internal", hint: "read the log for the cause" });
    store = memoryStore();
  });
});
