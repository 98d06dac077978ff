import { once } from "node:events";
import type { Server } from "node:http";
import { connect } from "node:net";
import { expect, it } from "vitest";
import type { Route } from "../../src/http/http-server.ts";
import { listening } from "./listening.ts";
import { readAll, sendRaw, statusesIn } from "./raw-requests.ts";

const boom = new Error("boom");
const path =
  (wanted: string, route: Route): Route =>
  (asked) =>
    asked.target.path === wanted ? route(asked) : null;
const ROUTES = [
  path("/fine", async ({ response }) => void response.end("fine")),
  path("/sync", () => {
    throw boom;
  }),
  path("/async", () => Promise.reject(boom)),
  path("/undefined", () => Promise.reject()),
  path("/late", async ({ response }) => {
    response.writeHead(200, { "content-length": "10" }).write("half");
    throw boom;
  }),
  path("/after", async ({ response }) => {
    response.end("whole");
    throw boom;
  }),
  path("/twice", async ({ response }) => {
    response.end("whole");
    response.write("more");
  }),
  path("/header", async ({ response }) => void response.setHeader("x", "a\nb")),
];

it.each(["/sync", "/async", "/undefined", "/header"])(
  "answers 500 to a route that fails (%s), logs it once, and continues",
  async (target) => {
    const { ask, log } = await listening(...ROUTES);
    const answer = await ask(`GET ${target}?secret=1`);
    expect(statusesIn(answer)).toEqual([500]);
    expect(answer).not.toContain("boom");
    expect(log.lines).toEqual([
      {
        level: "error",
        message: "request failed",
        fields: { error: expect.any(String), method: "GET", path: target },
      },
    ]);
    expect(statusesIn(await ask("GET /fine"))).toEqual([200]);
  },
);

it.each(["/late", "/after"])(
  "cuts the connection of an answer that failed on its way (%s), and logs it once",
  async (target) => {
    const { ask, at, log } = await listening(...ROUTES);
    const socket = connect(at);
    socket.write(`GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    // Its own side stays open.
    expect(statusesIn(await readAll(socket))).toEqual([200]);
    expect(log.lines).toHaveLength(1);
    expect(statusesIn(await ask("GET /fine"))).toEqual([200]);
  },
);

it("outlives an answer that is written to after its end", async () => {
  const { ask } = await listening(...ROUTES);
  expect(statusesIn(await ask("GET /twice"))).toEqual([200]);
  expect(statusesIn(await ask("GET /fine"))).toEqual([200]);
});

it("answers 404 where no route takes it, and 400 to a target that cannot be read before any route sees it", async () => {
  const seen: string[] = [];
  const { ask } = await listening(({ target }) => {
    seen.push(target.path);
    return null;
  });
  expect(statusesIn(await ask("GET /nothing"))).toEqual([404]);
  expect(statusesIn(await ask("GET /%ff"))).toEqual([400]);
  expect(statusesIn(await ask("OPTIONS *"))).toEqual([400]);
  expect(statusesIn(await ask("GET http://a/fine"))).toEqual([400]);
  expect(seen).toEqual(["/nothing"]);
});

it.each([
  ["CONNECT", "CONNECT evil.test:443 HTTP/1.1\r\nHost: a\r\n\r\n", [405]],
  [
    "an upgrade",
    "GET /fine HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n",
    [200],
  ],
  ["HTTP/2 in clear text", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", [400]],
  [
    "an unknown expectation",
    "GET /fine HTTP/1.1\r\nHost: a\r\nExpect: gold\r\nConnection: close\r\n\r\n",
    [417],
  ],
  ["HTTP/1.0", "GET /fine HTTP/1.0\r\n\r\n", [200]],
  ["HTTP/0.9", "GET /fine\r\n\r\n", [200]],
  ["no host", "GET /fine HTTP/1.1\r\n\r\n", [400]],
  ["an unknown method", "STEAL /fine HTTP/1.1\r\nHost: a\r\n\r\n", [400]],
  [
    "two lengths",
    "POST /fine HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    [400],
  ],
  [
    "a length and chunks",
    "POST /fine HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    [400],
  ],
  ["a negative length", "POST /fine HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", [400]],
  ["a huge length", `POST /fine HTTP/1.1\r\nHost: a\r\nContent-Length: ${"9".repeat(40)}\r\n\r\n`, [400]],
  ["long headers", `GET /fine HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(20_000)}\r\n\r\n`, [431]],
  [
    "many headers",
    `GET /fine HTTP/1.1\r\nHost: a\r\n${"X: y\r\n".repeat(200)}Connection: close\r\n\r\n`,
    [200],
  ],
  ["noise", "\0\u0001\u0002\r\n\r\n", [400]],
])("answers %s and lives", async (_, bytes, statuses) => {
  const { at, ask } = await listening(...ROUTES);
  expect(statusesIn(await sendRaw(at, bytes))).toEqual(statuses);
  expect(statusesIn(await ask("GET /fine"))).toEqual([200]);
});

it("answers requests that come in one write in their order", async () => {
  const { at } = await listening(...ROUTES);
  const targets = ["/fine", "/sync", "/no", "//[", "//%"];
  const requests = targets.map((target) => `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`);
  const answer = await sendRaw(at, requests.join(""));
  expect(statusesIn(answer)).toEqual([200, 500, 404, 404, 400]);
});

it("lets nobody hold a connection by CONNECT, nor end the process by a reset after it", async () => {
  const { at, server, ask } = await listening(...ROUTES);
  const sockets = Array.from({ length: 50 }, () => connect({ ...at, allowHalfOpen: true }));
  await Promise.all(
    sockets.map(async (socket, index) => {
      socket.on("error", () => undefined);
      socket.write("CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n");
      if (index % 2 === 0) await once(socket, "data");
      socket.resetAndDestroy();
    }),
  );
  expect(statusesIn(await ask("GET /fine"))).toEqual([200]);
  await expect.poll(() => connectionsOf(server)).toBe(0);
});

it("keeps limits of time and connections", async () => {
  const { server } = await listening(...ROUTES);
  const { headersTimeout, requestTimeout, timeout, maxConnections } = server;
  // How late a limit is noticed. Node's types do not know it.
  const connectionsCheckingInterval: unknown = Reflect.get(server, "connectionsCheckingInterval");
  expect({ headersTimeout, requestTimeout, connectionsCheckingInterval, timeout, maxConnections }).toEqual({
    headersTimeout: 15_000,
    requestTimeout: 30_000,
    connectionsCheckingInterval: 5_000,
    timeout: 120_000,
    maxConnections: 512,
  });
});

it("takes no more connections than its limit, and more again once some are gone", async () => {
  const { server, at, ask } = await listening(...ROUTES);
  server.maxConnections = 20;
  const held = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const socket = connect(at).on("error", () => undefined);
      await once(socket, "connect");
      return socket;
    }),
  );
  await expect.poll(() => connectionsOf(server)).toBe(20);
  const late = connect(at);
  expect(await readAll(late)).toBe("");
  for (const socket of held) socket.destroy();
  await expect.poll(() => connectionsOf(server)).toBe(0);
  expect(statusesIn(await ask("GET /fine"))).toEqual([200]);
});

function connectionsOf(server: Server): Promise<number> {
  return new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
  );
}
