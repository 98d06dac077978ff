import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { createHttpServer, type Route } from "../../src/http/http-server.ts";
import { createMemoryLog } from "../webhooks/memory-log.ts";
import { sendRaw } from "./raw-requests.ts";

/** Starts a server with these routes, which ends with the test. */
export async function listening(...routes: readonly Route[]) {
  const log = createMemoryLog();
  const server: Server = createHttpServer(routes, { log });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port }: AddressInfo = JSON.parse(JSON.stringify(server.address()));
  const at = { host: "127.0.0.1", port };
  const ask = (head: string) => sendRaw(at, `${head} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  return { server, log, at, ask };
}
