import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import {
  openSessionSocket,
  type SocketHandler,
} from "../../../../src/adapters/runtimes/gateway/session-socket.ts";

const log = { debug() {}, info() {}, warn() {}, error() {} };
const TOKEN = "token-of-this-session";

const echo: SocketHandler = async (asked) => {
  const { pathname, search } = new URL(asked.url);
  return Response.json({ at: `${pathname}${search}`, method: asked.method, body: await asked.text() });
};

async function socket(handlers: Record<string, SocketHandler> = { model: echo, mcp: echo }, token = TOKEN) {
  const directory = mkdtempSync(join(tmpdir(), "flotilla-socket-"));
  const path = join(directory, "own", "host.sock");
  const opened = await openSessionSocket({ path, token, handlers, log });
  onTestFinished(async () => {
    await opened.close();
    rmSync(directory, { recursive: true });
  });
  return { path, directory, opened };
}

interface Asked {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}

const bearer = { authorization: `Bearer ${TOKEN}` };

function begin(
  socketPath: string,
  path: string,
  { method = "POST", headers = bearer }: Asked = {},
): ClientRequest {
  return request({ socketPath, path, method, headers, agent: false });
}

function answered(asking: ClientRequest): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  asking.once("response", resolve).once("error", reject);
  return promise;
}

async function ask(socketPath: string, path: string, asked: Asked = {}) {
  const asking = begin(socketPath, path, asked);
  asking.end(asked.body);
  const response = await answered(asking);
  return { status: response.statusCode, text: await text(response) };
}

/** Writes the bytes, and returns all that comes back until the connection ends. */
async function raw(path: string, ...pieces: string[]): Promise<string> {
  const client = await connected(path);
  client.on("error", () => undefined);
  for (const piece of pieces) client.write(piece);
  return text(client).catch(() => "");
}

function connected(path: string): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const client = connect(path);
  client.once("connect", () => resolve(client)).once("error", reject);
  return promise;
}

it("gives each handler what is below its name", async () => {
  const { path } = await socket();
  expect(await ask(path, "/model/v1/messages?beta=true", { body: "{}" })).toEqual({
    status: 200,
    text: JSON.stringify({ at: "/v1/messages?beta=true", method: "POST", body: "{}" }),
  });
  expect((await ask(path, "/mcp", { body: "x" })).text).toContain('"at":"/"');
  expect((await ask(path, "/mcp?a=1", { method: "GET" })).text).toContain('"at":"/?a=1"');
});

it.each([
  [{ authorization: `Bearer ${TOKEN}` }, "/model/x", 200],
  [{ "x-api-key": TOKEN }, "/model/x", 200],
  [{ "api-key": TOKEN }, "/model/x", 200],
  [{ "x-goog-api-key": TOKEN }, "/model/x", 200],
  [{}, `/model/x?key=${TOKEN}`, 200],
  [{}, "/model/x", 403],
  [{ authorization: TOKEN.slice(0, -1) }, "/model/x", 403],
  [{ "x-api-key": `${TOKEN}x` }, "/model/x", 403],
  [{ authorization: "Bearer " }, "/model/x?key=", 403],
  [{ cookie: TOKEN }, "/model/x", 403],
  [{}, "/nothing", 403],
])("hears only who has the session's token: %j at %s", async (headers, at, status) => {
  const { path } = await socket();
  const answer = await ask(path, at, { headers });
  expect(answer.status).toBe(status);
  expect(answer.text).not.toContain(TOKEN);
});

it("of one session does not open the socket of another", async () => {
  const [mine, theirs] = [await socket(undefined, "token-of-a"), await socket(undefined, "token-of-b")];
  const headers = { authorization: "Bearer token-of-a" };
  expect((await ask(mine.path, "/model/x", { headers })).status).toBe(200);
  expect((await ask(theirs.path, "/model/x", { headers })).status).toBe(403);
});

it.each([
  ["/", 404],
  ["/other/x", 404],
  ["/Model/x", 404],
  ["/modelx", 404],
  ["/constructor", 404],
  ["/model%2fx", 404],
  ["/%6dodel/x", 404],
  ["//model/x", 404],
  ["/./model/x", 404],
  ["http://127.0.0.1/model/x", 404],
])("has nothing at %s", async (at, status) => {
  const { path } = await socket();
  expect((await ask(path, at, { body: "" })).status).toBe(status);
});

it("a way up stays below the handler's name", async () => {
  const { path } = await socket();
  for (const at of ["/model/../mcp/x", "/model/%2e%2e/mcp/x", "/model//mcp/x"])
    expect(JSON.parse((await ask(path, at)).text)).toMatchObject({ at: expect.stringMatching(/mcp\/x$/) });
  const { path: other } = await socket({ model: () => Promise.resolve(new Response("model")) });
  expect((await ask(other, "/model/../mcp/x")).text).toBe("model");
});

it("lies in a directory for its owner alone, takes the place of one that was left, and is gone at the end", async () => {
  const { path, directory, opened } = await socket();
  expect([statSync(join(directory, "own")).mode & 0o777, statSync(path).mode & 0o777]).toEqual([
    0o700, 0o600,
  ]);
  await opened.close();
  expect(() => statSync(path)).toThrow("ENOENT");
  writeFileSync(path, "left");
  const again = await openSessionSocket({ path, token: TOKEN, handlers: { model: echo }, log });
  expect((await ask(path, "/model/x")).status).toBe(200);
  await again.close();
  const long = join(directory, "x".repeat(100), "host.sock");
  await expect(openSessionSocket({ path: long, token: TOKEN, handlers: {}, log })).rejects.toThrow(
    "100 bytes",
  );
});

it("a body has an end, and all bodies together have one", async () => {
  let heard = 0;
  const { path } = await socket({
    model: async (asked) => {
      heard += (await asked.arrayBuffer()).byteLength;
      return new Response("heard");
    },
  });
  const megabyte = Buffer.alloc(1024 * 1024);
  const tooLarge = begin(path, "/model/x");
  tooLarge.on("error", () => undefined);
  for (let count = 0; count < 33; count += 1) tooLarge.write(megabyte);
  expect((await answered(tooLarge)).statusCode).toBe(413);
  tooLarge.destroy();
  const many = Array.from({ length: 8 }, () => begin(path, "/model/x"));
  const statuses = many.map((one) => answered(one).then(({ statusCode }) => statusCode));
  for (const one of many) {
    one.on("error", () => undefined);
    for (let count = 0; count < 12; count += 1) one.write(megabyte);
  }
  expect(await Promise.race(statuses)).toBe(413);
  for (const one of many) one.destroy();
  await Promise.allSettled(statuses);
  expect(heard).toBe(0);
  await expect.poll(async () => (await ask(path, "/model/x", { body: megabyte })).status).toBe(200);
  expect(heard).toBe(megabyte.length);
});

const HEAD = `POST /model/x HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${TOKEN}\r\n`;

it.each([
  [
    "a Content-Length that is too short",
    `${HEAD}content-length: 2\r\nconnection: close\r\n\r\n{}{"more":1}`,
    /^(?:HTTP\/1.1 (?:200|400)|$)/,
  ],
  ["two lengths", `${HEAD}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`, /^(?:HTTP\/1.1 400|$)/],
  [
    "a length and chunks",
    `${HEAD}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    /^(?:HTTP\/1.1 400|$)/,
  ],
  ["no HTTP", "hello\r\n\r\n", /^(?:HTTP\/1.1 400|$)/],
  ["a header without an end", `GET / HTTP/1.1\r\nx: ${"x".repeat(100_000)}`, /^(?:HTTP\/1.1 4|$)/],
  ["CONNECT", "CONNECT example.com:443 HTTP/1.1\r\nhost: example.com\r\n\r\n", /^(?:HTTP\/1.1 4|$)/],
  [
    "a method that nobody knows",
    `TRACE /model/x HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${TOKEN}\r\n\r\n`,
    /^$/,
  ],
])("%s harms nobody", async (_, bytes, expected) => {
  const { path } = await socket();
  expect(await raw(path, bytes)).toMatch(expected);
  expect((await ask(path, "/model/x")).status).toBe(200);
});

it("a Content-Length that is too long waits alone, and its end is the client's", async () => {
  const { path } = await socket();
  const client = await connected(path);
  client.write(`${HEAD}content-length: 1000\r\n\r\n{}`);
  expect((await ask(path, "/model/x")).status).toBe(200);
  client.destroy();
  expect((await ask(path, "/model/x")).status).toBe(200);
});

it("a flood of connections is cut, and the others are heard after it", async () => {
  const { path } = await socket();
  const clients = await Promise.all(Array.from({ length: 200 }, () => connected(path)));
  const closed = clients.map((client) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    client.on("error", () => undefined).once("close", () => resolve());
    return promise;
  });
  await Promise.all(closed.slice(-100));
  for (const client of clients) client.destroy();
  await Promise.all(closed);
  await expect
    .poll(() =>
      ask(path, "/model/x").then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(200);
});

it("a client that goes away ends what was done for it, and one that reads slowly gets all", async () => {
  const gone = Promise.withResolvers<void>();
  const cancelled = Promise.withResolvers<void>();
  const block = Buffer.alloc(1024 * 1024, "x");
  const { path } = await socket({
    wait: (asked) => {
      const { promise, reject } = Promise.withResolvers<Response>();
      asked.signal.addEventListener("abort", () => {
        gone.resolve();
        reject(new Error("gone"));
      });
      return promise;
    },
    stream: () =>
      Promise.resolve(
        new Response(
          new ReadableStream({
            pull: (controller) => controller.enqueue(block),
            cancel: () => cancelled.resolve(),
          }),
        ),
      ),
    large: () => Promise.resolve(new Response(Buffer.alloc(8 * 1024 * 1024, "y"))),
  });
  const waiting = begin(path, "/wait");
  waiting.on("error", () => undefined).end();
  waiting.once("socket", (client) => client.once("connect", () => setImmediate(() => waiting.destroy())));
  await gone.promise;
  const streaming = begin(path, "/stream");
  streaming.end();
  const stream = await answered(streaming);
  stream.destroy();
  await cancelled.promise;
  expect((await ask(path, "/large")).text).toHaveLength(8 * 1024 * 1024);
});

const broken = () =>
  new Response(
    new ReadableStream({
      start(controller) {
        controller.enqueue(Buffer.from("some"));
        controller.error(new Error("broken"));
      },
    }),
  );

it("an answer that breaks off ends its connection alone", async () => {
  const { path } = await socket({
    model: () => Promise.resolve(broken()),
    throws: () => Promise.reject(new Error("a fault of ours")),
    mcp: echo,
  });
  await expect(ask(path, "/model/x")).rejects.toThrow(/aborted|hang up|reset/);
  await expect(ask(path, "/throws")).rejects.toThrow(/aborted|hang up|reset/);
  expect((await ask(path, "/mcp")).status).toBe(200);
});
