import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { printSchema } from "../../src/config/published-schema.ts";
import { createHttpServer } from "../../src/http/http-server.ts";
import { pageRoutes } from "../../src/server/served-routes.ts";

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

const none = () => null;

async function served(roles: readonly ("web" | "runner")[]) {
  const routes = pageRoutes(new Set(roles), { api: none, page: none });
  const server = createHttpServer(routes, { log: quiet }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port }: AddressInfo = JSON.parse(JSON.stringify(server.address()));
  return (path: string, method = "GET") => fetch(`http://127.0.0.1:${port}/schema/${path}`, { method });
}

test("editors read the schemas without a token, from any site", async () => {
  const ask = await served(["web"]);
  for (const name of ["config.json", "repository-file.json"] as const) {
    const answer = await ask(name);
    expect(answer.headers.get("content-type")).toBe("application/schema+json; charset=utf-8");
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(await answer.text()).toBe(printSchema(name));
  }
  expect(await ask("config.json", "POST").then(({ status }) => status)).toBe(405);
  expect(await ask("..%2Fconfig.json").then(({ status }) => status)).toBe(404);
  expect(await ask("").then(({ status }) => status)).toBe(404);
});

test("a process without a page serves none", async () => {
  const ask = await served(["runner"]);
  expect(await ask("config.json").then(({ status }) => status)).toBe(404);
});
