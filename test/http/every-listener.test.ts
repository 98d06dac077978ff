import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import { connect, type NetConnectOpts } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createEgress } from "../../src/adapters/sandbox/egress/egress.ts";
import { startSetupServer } from "../../src/cli/setup/setup-server.ts";
import { registrySocket } from "../../src/domain/access/registry.ts";
import { createHttpServer } from "../../src/http/http-server.ts";
import { TokenGate } from "../../src/http/token-gate.ts";
import { createMetrics } from "../../src/observability/metrics/create-metrics.ts";
import { controlSocket, startControl } from "../../src/server/control/control-server.ts";
import { UNASKED } from "../cli/unasked-operations.ts";
import { serve } from "../dashboard/served.ts";
import { memoryStore } from "../factories/memory-store.ts";
import { randomOf } from "../random.ts";
import { createMemoryInbox } from "../webhooks/memory-inbox.ts";
import { createMemoryLog, type LogLine } from "../webhooks/memory-log.ts";
import { serveRoute } from "../webhooks/serve-route.ts";
import { BAD_TARGETS, brokenRequest, randomRequest, sendRaw, statusesIn } from "./raw-requests.ts";

const REQUESTS = 10_000;
/** As many as a connection may have waiting. */
const IN_ONE = 16;
const SEED = 20_261_123;

interface Listener {
  readonly at: NetConnectOpts;
  readonly lines: readonly LogLine[];
  /** What it answers to each request while it closes the connection after it. */
  readonly always?: number;
}

const asPort = (url: string): NetConnectOpts => ({ host: "127.0.0.1", port: Number(new URL(url).port) });

const LISTENERS: Readonly<Record<string, () => Promise<Listener>>> = {
  async webhooks() {
    const served = await serveRoute(createMemoryInbox());
    onTestFinished(() => served.close());
    return { at: asPort(served.url), lines: served.log.lines };
  },
  async "the dashboard and its API"() {
    const { url, logged } = await serve({}, { authorizeUrl: ({ returnTo }) => returnTo, whoIs: nobody });
    return { at: asPort(url), lines: logged };
  },
  async metrics() {
    const log = createMemoryLog();
    const store = memoryStore();
    const route = createMetrics().route({
      webhookPath: "/hook",
      gate: new TokenGate("a token of the tests", { now: () => 0, log }),
      moment: () => {
        throw new Error("nobody has the token");
      },
      log,
    });
    const server: Server = createHttpServer([route], { log }).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(async () => {
      server.closeAllConnections();
      server.close();
      await store.close();
    });
    const address = server.address();
    return { at: asPort(`http://a:${typeof address === "object" ? address?.port : 0}`), lines: log.lines };
  },
  async "the page of init"() {
    const log = createMemoryLog();
    const choices = { name: "a", address: "https://a.test", organization: "" };
    const place = { host: "127.0.0.1", port: 0, hosts: [], gitUrl: "https://github.test" };
    const server = await startSetupServer({ ...place, choices, made: nobody, log });
    onTestFinished(() => server.close());
    return { at: asPort(server.url), lines: log.lines, always: 1 };
  },
  async "the control socket"() {
    const log = createMemoryLog();
    const dataDir = mkdtempSync(join(tmpdir(), "listener-"));
    const store = memoryStore();
    const asked = { store, operations: UNASKED, poke() {}, onboard: nobody, sweep: nobody };
    const end = await startControl({ dataDir, ...asked, log });
    onTestFinished(async () => {
      await end();
      await store.close();
      rmSync(dataDir, { recursive: true });
    });
    return { at: { path: controlSocket(dataDir) }, lines: log.lines };
  },
  async "the proxy of a sandbox"() {
    const log = createMemoryLog();
    const egress = createEgress(log, { outside: { addresses: nobody, connect: () => connect(1) } });
    onTestFinished(() => egress.close());
    return {
      at: { path: join(await egress.directoryFor({ hosts: ["a.test"], registries: false }), "proxy.sock") },
      lines: log.lines,
      always: 1,
    };
  },
  async "a registry of a sandbox"() {
    const log = createMemoryLog();
    const registry = { kind: "npm", url: "https://npm.test/", tokenEnv: "TOKEN", token: "t" } as const;
    const egress = createEgress(log, {
      registries: [registry],
      // A private address, which is refused.
      outside: { addresses: async () => ["10.0.0.1"], connect: () => connect(1) },
    });
    onTestFinished(() => egress.close());
    const directory = await egress.directoryFor({ hosts: [], registries: true });
    return { at: { path: join(directory, registrySocket(0)) }, lines: log.lines, always: 1 };
  },
};

function nobody(): Promise<never> {
  return Promise.reject(new Error("nobody asks this here"));
}

/** Whether it still answers, and what was a failure of ours. */
async function after({ at, lines }: Listener) {
  const answer = await sendRaw(at, "GET /nothing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  return { answers: statusesIn(answer).length, failures: lines.filter(({ level }) => level === "error") };
}

const WELL = { answers: 1, failures: [] };

it.each(Object.keys(LISTENERS))(
  "%s: ten thousand requests with random methods, targets and headers are each answered",
  async (name) => {
    const listener = await (LISTENERS[name] ?? nobody)();
    const random = randomOf(SEED);
    const inOne = listener.always ?? IN_ONE;
    for (let sent = 0; sent < REQUESTS; sent += inOne * 10)
      await Promise.all(
        Array.from({ length: 10 }, async () => {
          const requests = Array.from({ length: inOne }, () => randomRequest(random));
          const statuses = statusesIn(await sendRaw(listener.at, requests.join("")));
          expect(statuses).toHaveLength(inOne);
          expect(statuses.filter((status) => status >= 500 || status < 200)).toEqual([]);
        }),
      );
    expect(await after(listener)).toEqual(WELL);
  },
);

it.each(Object.keys(LISTENERS))(
  "%s: targets that cannot be read, and bytes that are no request, end nothing",
  async (name) => {
    const listener = await (LISTENERS[name] ?? nobody)();
    for (const target of BAD_TARGETS) {
      const answer = await sendRaw(listener.at, `GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      expect([target, statusesIn(answer)]).toEqual([target, [expect.any(Number)]]);
      expect(statusesIn(answer)[0]).toBeLessThan(500);
    }
    const random = randomOf(SEED + 1);
    for (let round = 0; round < 100; round += 1)
      await Promise.all(
        Array.from({ length: 20 }, async () => {
          const statuses = statusesIn(await sendRaw(listener.at, brokenRequest(random)));
          expect(statuses.filter((status) => status >= 500 && status !== 505)).toEqual([]);
        }),
      );
    expect(await after(listener)).toEqual(WELL);
  },
);

it.each(Object.keys(LISTENERS))(
  "%s: connections that are reset in the middle, after an upgrade too, end nothing",
  async (name) => {
    const listener = await (LISTENERS[name] ?? nobody)();
    const random = randomOf(SEED + 2);
    const upgrade = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";
    const tunnel = "CONNECT a.test:443 HTTP/1.1\r\nHost: a.test\r\n\r\n";
    for (let round = 0; round < 40; round += 1)
      await Promise.all(
        Array.from({ length: 20 }, async () => {
          const asked = random() < 0.5 ? randomRequest(random) : random() < 0.5 ? upgrade : tunnel;
          const socket = connect(listener.at).on("error", () => undefined);
          // The queue of a Unix socket may be full.
          if (!(await once(socket, "connect").then(Boolean, () => false))) return;
          const sent = random() < 0.3 ? asked.slice(0, Math.floor(random() * asked.length)) : asked;
          await new Promise((done) => socket.write(sent, done));
          if (random() < 0.5) await new Promise(setImmediate);
          if ("port" in listener.at) socket.resetAndDestroy();
          else socket.destroy();
        }),
      );
    expect(await after(listener)).toEqual(WELL);
  },
);
