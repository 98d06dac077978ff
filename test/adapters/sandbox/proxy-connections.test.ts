import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import type { Server as HttpServer } from "node:http";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Outside } from "../../../src/adapters/sandbox/egress/outside.ts";
import { createEgressProxy } from "../../../src/adapters/sandbox/egress/proxy.ts";

/** A proxy for `a.example.org` on a Unix socket. */
async function proxying(outside: Outside) {
  const directory = mkdtempSync(join(tmpdir(), "proxy-"));
  const path = join(directory, "proxy.sock");
  const server = createEgressProxy(["a.example.org"], () => undefined, { outside });
  await once(server.listen(path), "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
    rmSync(directory, { recursive: true });
  });
  return { server, path };
}

function ask(path: string, head: string): Socket {
  const socket = connect({ path, allowHalfOpen: true });
  socket.on("error", () => undefined).write(`${head} HTTP/1.1\r\nHost: a\r\n`);
  return socket;
}

const open = (server: HttpServer | Server): Promise<number> =>
  new Promise((resolve) => server.getConnections((_, count) => resolve(count)));
const unreachable: Outside = {
  addresses: () => Promise.reject(new Error("no such name")),
  connect: () => connect(1),
};

test.each([
  ["a host that is not allowed", "CONNECT evil.example.org:443", "\r\n"],
  ["a name that is not found", "CONNECT a.example.org:443", "\r\n"],
  ["an upgrade", "GET /", "Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n"],
])("a refusal of %s closes the connection, though its peer keeps its side open", async (_, head, rest) => {
  const { server, path } = await proxying(unreachable);
  const sockets = Array.from({ length: 30 }, () => ask(path, head));
  await Promise.all(
    sockets.map(async (socket) => {
      socket.write(rest);
      await once(socket, "data");
    }),
  );
  await expect.poll(() => open(server)).toBe(0);
  for (const socket of sockets) socket.destroy();
});

test("a tunnel whose asker has left before it is there is closed at the other end too", async () => {
  const upstream = createServer().listen(0, "127.0.0.1");
  await once(upstream, "listening");
  onTestFinished(() => void upstream.close());
  const address = upstream.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  const asked = Promise.withResolvers<void>();
  const found = Promise.withResolvers<readonly string[]>();
  const { server, path } = await proxying({
    addresses: () => {
      asked.resolve();
      return found.promise;
    },
    connect: () => connect(port, "127.0.0.1"),
  });
  const socket = ask(path, "CONNECT a.example.org:443");
  socket.write("\r\n");
  await asked.promise;
  socket.destroy();
  found.resolve(["93.184.215.14"]);
  const [reached]: Socket[] = await once(upstream, "connection");
  reached?.resume();
  await expect.poll(() => open(upstream)).toBe(0);
  expect(await open(server)).toBe(0);
});

test("no more connections are taken than its limit", async () => {
  const { server } = await proxying(unreachable);
  expect(server.maxConnections).toBe(512);
});
