import { once } from "node:events";
import type { Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { createHttpServer } from "../../src/http/http-server.ts";
import { BodySum, type ReadBody } from "../../src/http/request-body.ts";
import { collectedMemory } from "../collected-memory.ts";
import { randomOf } from "../random.ts";
import { createMemoryLog } from "../webhooks/memory-log.ts";
import { readAll, sendRaw, statusesIn } from "./raw-requests.ts";

const KIB = 1024;
const MAX = 256 * KIB;

/** A server that reads each body, and says what it read by its length. */
async function reading(
  most: number,
  { keep = true, late }: { readonly keep?: boolean; readonly late?: () => void } = {},
) {
  const bodies = new BodySum(most);
  const log = createMemoryLog();
  const read: (ReadBody | undefined)[] = [];
  const server: Server = createHttpServer(
    [
      async ({ request, response, body }) => {
        if (late !== undefined) {
          late();
          await new Promise((closed) => request.once("close", closed));
        }
        const bytes = await body({ maxBytes: MAX, keep });
        read.push(bytes);
        if (bytes === "gone") return;
        const headers = request.complete ? {} : { connection: "close" };
        const status = { too_large: 413, full: 503 };
        if (typeof bytes === "string") return void response.writeHead(status[bytes], headers).end();
        response.end(`${bytes.length}`);
      },
    ],
    { log, bodies },
  );
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port }: AddressInfo = JSON.parse(JSON.stringify(server.address()));
  return { bodies, log, read, at: { host: "127.0.0.1", port } };
}

const head = (length: number | "chunked") =>
  `POST / HTTP/1.1\r\nHost: a\r\n${length === "chunked" ? "Transfer-Encoding: chunked" : `Content-Length: ${length}`}\r\n\r\n`;
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

it("gives a body as it was sent, whatever the pieces that it came in", async () => {
  const random = randomOf(7);
  for (let round = 0; round < 30; round += 1) {
    const { at, read, bodies } = await reading(MAX);
    const text = Array.from({ length: Math.floor(random() * 200 * KIB) }, (_, index) => index % 10).join("");
    const socket = connect(at);
    socket.write(head("chunked"));
    for (let sent = 0; sent < text.length; ) {
      const end = sent + 1 + Math.floor(random() * (random() < 0.3 ? 3 : 90 * KIB));
      socket.write(chunk(text.slice(sent, end)));
      sent = end;
    }
    socket.end("0\r\n\r\n");
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 200 /);
    expect(read).toEqual([Buffer.from(text)]);
    expect(bodies.held).toBe(0);
  }
});

it("answers 503 and closes the connection when all bodies together are too much, and takes new ones when they are gone", async () => {
  const { at, bodies } = await reading(4 * MAX);
  const held: Socket[] = [];
  for (let index = 0; index < 4; index += 1) {
    const socket = connect(at).on("error", () => undefined);
    socket.write(`${head(MAX)}${"x".repeat(MAX - 1)}`);
    held.push(socket);
  }
  await expect.poll(() => bodies.held).toBe(4 * MAX);
  const refused = await sendRaw(at, `${head(MAX)}${"x".repeat(MAX)}`);
  expect(refused).toMatch(/^HTTP\/1\.1 503 .*\r\nconnection: close/is);
  expect(bodies.held).toBe(4 * MAX);
  // One ends, one aborts, one leaves politely, one breaks the protocol.
  const [ends, aborts, leaves, breaks] = held;
  ends?.end("x");
  aborts?.resetAndDestroy();
  leaves?.end();
  breaks?.destroy();
  await expect.poll(() => bodies.held).toBe(0);
  expect(statusesIn(await sendRaw(at, `${head(5)}12345`))).toEqual([200]);
});

it("gives everything back after hundreds of aborts, at any byte", async () => {
  const { at, bodies, log, read } = await reading(64 * MAX);
  const random = randomOf(11);
  for (let round = 0; round < 5; round += 1)
    await Promise.all(
      Array.from({ length: 50 }, async () => {
        const whole =
          random() < 0.5
            ? `${head(MAX)}${"x".repeat(MAX)}`
            : `${head("chunked")}${chunk("y".repeat(MAX))}zz\r\n`;
        const socket = connect(at).on("error", () => undefined);
        socket.resume();
        await once(socket, "connect");
        const sent = Math.floor(random() * whole.length);
        await new Promise((done) => socket.write(whole.slice(0, sent), done));
        if (random() < 0.5) socket.resetAndDestroy();
        else socket.end();
        await once(socket, "close");
      }),
    );
  await expect.poll(() => bodies.held).toBe(0);
  expect(read.length).toBeGreaterThan(200);
  expect(log.lines).toEqual([]);
});

it("keeps nothing where nothing is to be kept, and nothing of what is declared too large", async () => {
  const none = await reading(0, { keep: false });
  expect(statusesIn(await sendRaw(none.at, `${head(9)}123456789`))).toEqual([413]);
  const { at } = await reading(0);
  expect(statusesIn(await sendRaw(at, `${head(MAX + 1)}${"x".repeat(MAX + 1)}`))).toEqual([413]);
  expect(statusesIn(await sendRaw(at, head(0)))).toEqual([200]);
});

it("gives back what it kept of a body that turns out too large, at once", async () => {
  const { at, bodies, read } = await reading(2 * MAX);
  const socket = connect(at).on("error", () => undefined);
  socket.write(`${head("chunked")}${chunk("x".repeat(MAX - 1))}`);
  await expect.poll(() => bodies.held).toBe(MAX);
  socket.write(chunk("x".repeat(KIB)));
  await expect.poll(() => bodies.held).toBe(0);
  expect(read).toEqual([]);
  socket.write(chunk("x".repeat(2 * MAX)));
  expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 413 /);
});

it("does not wait for a sender who has left before it is read", async () => {
  const { promise: seen, resolve: see } = Promise.withResolvers<void>();
  const { at, read, log } = await reading(MAX, { late: see });
  const socket = connect(at).on("error", () => undefined);
  socket.write(`${head(100)}x`);
  await seen;
  socket.resetAndDestroy();
  await expect.poll(() => read).toEqual(["gone"]);
  expect(log.lines).toEqual([]);
});

it("occupies no more for a body of tiny chunks than for one of large ones", async () => {
  const { at, bodies } = await reading(4 * MAX);
  const socket = connect(at).on("error", () => undefined);
  const before = occupied();
  socket.write(`${head("chunked")}${chunk("x").repeat(MAX - 1)}`);
  await expect.poll(() => bodies.held).toBe(MAX);
  expect(occupied() - before).toBeLessThan(16 * MAX);
  socket.end(`${chunk("x")}0\r\n\r\n`);
  expect(await readAll(socket)).toContain(`\r\n\r\n${MAX}`);
});

/** What is reachable, in bytes: objects and the bytes of buffers. A kept chunk costs an object of hundreds of bytes. */
function occupied(): number {
  const { heapUsed, arrayBuffers } = collectedMemory();
  return heapUsed + arrayBuffers;
}
