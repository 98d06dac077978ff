import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { createHttpServer } from "../../src/http/http-server.ts";
import { isLoopback, ownHostsOnly } from "../../src/http/own-hosts.ts";
import { createMemoryLog } from "../webhooks/memory-log.ts";
import { sendRaw, statusesIn } from "./raw-requests.ts";

async function serving() {
  const routes = [ownHostsOnly(["Flotilla.example.com"], ["/hook"])];
  const server = createHttpServer(routes, { log: createMemoryLog() }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port }: AddressInfo = JSON.parse(JSON.stringify(server.address()));
  return async (host: string | undefined, path = "/") => {
    const line = host === undefined ? "1.0\r\n" : `1.1\r\nHost: ${host}\r\n`;
    return statusesIn(await sendRaw({ host: "127.0.0.1", port }, `GET ${path} HTTP/${line}\r\n`));
  };
}

it.each([
  "localhost",
  "LOCALHOST:3000",
  "app.localhost",
  "127.0.0.1:3000",
  "127.1.2.3",
  "10.0.0.7:3000",
  "[::1]:3000",
  "[2001:db8::1]",
  "flotilla.example.com",
  "FLOTILLA.example.com.:443",
  "",
])("lets the host %j through", async (host) => {
  expect(await (await serving())(host)).toEqual([404]);
});

it("lets a request without a host through, which no browser makes", async () => {
  expect(await (await serving())(undefined)).toEqual([404]);
});

it.each([
  "evil.test",
  "flotilla.example.com.evil.test",
  "xflotilla.example.com",
  "localhost.evil.test",
  "evillocalhost",
  "127.0.0.1.evil.test",
  "1.2.3",
  "0x7f.1",
  "a@localhost",
  "localhost, evil.test",
  "localhost/x",
  "[::1",
  "[evil.test]",
  "::1",
  ":3000",
])("refuses the host %j, but for paths that anybody may ask", async (host) => {
  const ask = await serving();
  expect(await ask(host)).toEqual([421]);
  expect(await ask(host, "/hook?x")).toEqual([404]);
  expect(await ask(host, "/hook/more")).toEqual([421]);
});

it.each([
  ["localhost", true],
  ["a.localhost", true],
  ["127.0.0.1", true],
  ["::1", true],
  ["", false],
  ["0.0.0.0", false],
  ["127.0.0.1.evil.test", false],
  ["xlocalhost", false],
])("knows whether %j means this machine: %s", (name, loopback) => {
  expect(isLoopback(name)).toBe(loopback);
});
