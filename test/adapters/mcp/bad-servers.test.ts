import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import { markedProcesses } from "../../../src/adapters/sandbox/marked-processes.ts";
import type { Clock } from "../../../src/domain/ports/clock.ts";
import { serveHttp } from "../../fixtures/mcp/serve-http.ts";
import { portOf } from "../../listening.ts";
import { realClock } from "../runtimes/real-harness.ts";
import { confinedRunner, describeConfined } from "../sandbox/bubblewrap-here.ts";
import { aCommand, someServers } from "./some-servers.ts";

const SIGNAL = new AbortController().signal;
const AT_AN_ADDRESS = { env: {}, hosts: [], readable: [], tools: ["echo"] };

/** A minute passes in a tenth of a second. */
const hurried: Clock = {
  now: () => Date.now(),
  after(ms, fn) {
    const timer = setTimeout(fn, ms / 600);
    return () => clearTimeout(timer);
  },
};

const markOf = (what: string) => `mcp-bad-${what}-${Math.random()}`;

describe("a server that does not begin as it should", { timeout: 60_000 }, () => {
  test.each([
    ["exits", "did not start, or could not be reached"],
    ["endless", "sent more than an answer may have, and was ended"],
    ["notifies", "sent more than an answer may have, and was ended"],
    // Each is answered: that must not begin its allowance anew.
    ["asks", "sent more than an answer may have, and was ended"],
    ["garbage", "did not start, or could not be reached"],
    ["refuses", "refused the first request"],
    ["lists", "sent an answer that breaks the protocol"],
  ])("%s: it is told, and nothing of it is left", async (how, says) => {
    const mark = markOf(how);
    await expect(someServers(aCommand("bad.ts", how), realClock).open("desk", mark)).rejects.toMatchObject({
      code: "mcp_server_failed",
      message: `The MCP server desk ${says}`,
      advice: expect.stringContaining("`mcp_servers.desk`"),
    });
    expect(await markedProcesses([mark])).toEqual([]);
  });

  test("says nothing: it is given up after half a minute", async () => {
    const mark = markOf("silent");
    await expect(someServers(aCommand("bad.ts", "silent"), hurried).open("desk", mark)).rejects.toThrow(
      "The MCP server desk did not answer within 30 s",
    );
    expect(await markedProcesses([mark])).toEqual([]);
  });

  test("is no program", async () => {
    const servers = someServers({ ...aCommand("stdio.ts"), command: ["no-such-program"] }, realClock);
    await expect(servers.open("desk", markOf("none"))).rejects.toThrow("The MCP server desk did not start");
  });

  test("is not in the configuration", async () => {
    await expect(someServers(aCommand("stdio.ts"), realClock).open("other", "mark")).rejects.toThrow(
      "There is no MCP server other in the configuration",
    );
  });

  test("lists tools without end: ten pages are read", async () => {
    const connection = await someServers(aCommand("bad.ts", "pages"), realClock).open(
      "desk",
      markOf("pages"),
    );
    onTestFinished(() => connection.close());
    expect(connection.tools).toHaveLength(10);
  });

  test("answers a call otherwise than the protocol says", async () => {
    const connection = await someServers(aCommand("bad.ts", "answers"), realClock).open(
      "desk",
      markOf("answers"),
    );
    await expect(connection.call("one", {}, SIGNAL)).rejects.toThrow(
      "sent an answer that breaks the protocol",
    );
  });
});

test("a server that dies in the middle of a call is told as uncertain, and leaves no process", async () => {
  const mark = markOf("dies");
  const connection = await someServers(aCommand("stdio.ts"), realClock).open("desk", mark);
  await expect(connection.call("dies", {}, SIGNAL)).rejects.toMatchObject({
    message: "The MCP server desk stopped in the middle of the call",
    uncertain: true,
  });
  expect(await markedProcesses([mark])).toEqual([]);
});

test.each([
  [401, "answered with HTTP 401"],
  [500, "answered with HTTP 500"],
  [302, "did not start, or could not be reached"],
])("an address that answers %i is told, and a redirect is not followed", async (status, says) => {
  const { url, close } = await serveHttp(() => status);
  onTestFinished(close);
  const failed = someServers({ ...AT_AN_ADDRESS, url }, realClock).open("desk", "mark");
  await expect(failed).rejects.toThrow(`The MCP server desk ${says}`);
});

const asks = (id: number) => `data: ${JSON.stringify({ jsonrpc: "2.0", id, method: "ping" })}\n\n`;

test("an address that asks without end is ended", async () => {
  let answers = 0;
  const say = (written: string, { method: verb }: IncomingMessage, response: ServerResponse) => {
    const { id, method } = JSON.parse(written || "{}");
    if (id !== undefined && method === undefined) answers += 1;
    if (method === "initialize")
      return void response.setHeader("content-type", "application/json").end(
        JSON.stringify({
          jsonrpc: "2.0",
          id,
          result: {
            protocolVersion: "2025-06-18",
            capabilities: { tools: {} },
            serverInfo: { name: "bad", version: "1" },
          },
        }),
      );
    if (method !== "tools/list") return void response.writeHead(verb === "GET" ? 405 : 202).end();
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (let each = 0; each < 5000; each += 1) response.write(asks(each));
  };
  const server = createServer((request, response) => {
    text(request).then(
      (written) => say(written, request, response),
      () => response.destroy(),
    );
  });
  const url = `http://127.0.0.1:${await portOf(server)}/mcp`;
  await expect(someServers({ ...AT_AN_ADDRESS, url }, realClock).open("desk", "mark")).rejects.toThrow(
    "The MCP server desk sent more than an answer may have, and was ended",
  );
  expect(answers).toBeLessThanOrEqual(2000);
}, 60_000);

test.each([
  ["ended", (response: ServerResponse) => response.end()],
  ["broken off", (response: ServerResponse) => response.destroy()],
])("a stream that is %s without an answer is told at once", async (_, cut) => {
  const { url, close } = await serveHttp(() => null, {
    instead: ({ method }, response) => {
      if (method !== "tools/call") return false;
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(": wait\n\n", () => void cut(response));
      return true;
    },
  });
  onTestFinished(close);
  const connection = await someServers({ ...AT_AN_ADDRESS, url }, realClock).open("desk", "mark");
  await expect(connection.call("echo", { text: "a" }, SIGNAL)).rejects.toMatchObject({
    message: "The MCP server desk ended its response before the answer",
    uncertain: true,
  });
});

test("a stream that ends because its call is given up takes no other call with it", async () => {
  const asked = Promise.withResolvers<ServerResponse>();
  const { url, close } = await serveHttp(() => null, {
    instead: ({ method, id }, response) => {
      if (method !== "tools/call" || id !== 2) return false;
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(": wait\n\n", () => asked.resolve(response));
      return true;
    },
  });
  onTestFinished(close);
  const connection = await someServers({ ...AT_AN_ADDRESS, url }, realClock).open("desk", "mark");
  onTestFinished(() => connection.close());
  const stop = new AbortController();
  const call = connection.call("echo", { text: "a" }, stop.signal);
  const stream = await asked.promise;
  stop.abort();
  await expect(call).rejects.toThrow("was not waited for");
  const ended = once(stream, "close");
  stream.end();
  await ended;
  expect(await connection.call("echo", { text: "b" }, SIGNAL)).toMatchObject({ ok: true });
  expect(await connection.call("echo", { text: "c" }, SIGNAL)).toMatchObject({ ok: true });
});

test("an address that nobody serves is told", async () => {
  const { url, close } = await serveHttp();
  close();
  const failed = someServers({ ...AT_AN_ADDRESS, url }, realClock).open("desk", "mark");
  await expect(failed).rejects.toThrow("did not start, or could not be reached");
});

test("the header of an address is in each request, with its secret", async () => {
  const seen = new Set<unknown>();
  const { url, close } = await serveHttp((headers) => {
    seen.add(headers["x-desk-key"]);
    return null;
  });
  onTestFinished(close);
  const secrets = { env: {}, header: { name: "X-Desk-Key", value: "of the desk" } };
  const connection = await someServers({ ...AT_AN_ADDRESS, url }, realClock, { secrets }).open(
    "desk",
    "mark",
  );
  await connection.call("echo", { text: "a" }, SIGNAL);
  await connection.close();
  expect([...seen]).toEqual(["of the desk"]);
});

describeConfined("a server in the sandbox", () => {
  test("has its own variables, and nothing else of ours", async () => {
    const secrets = { env: { DESK_TOKEN: "of the desk" }, header: undefined };
    const runner = confinedRunner(realClock);
    const connection = await someServers(aCommand("stdio.ts"), realClock, { runner, secrets }).open(
      "desk",
      markOf("confined"),
    );
    onTestFinished(() => connection.close());
    const { parts } = await connection.call("environment", {}, SIGNAL);
    const [first] = parts;
    const environment: unknown = JSON.parse(first !== undefined && "text" in first ? first.text : "{}");
    expect(environment).toMatchObject({ DESK_TOKEN: "of the desk", HOME: "/tmp", TMPDIR: "/tmp" });
    expect(Object.keys(Object(environment)).toSorted()).toEqual(
      ["DESK_TOKEN", "FLOTILLA_SESSION", "HOME", "LANG", "PATH", "PWD", "TMPDIR"].toSorted(),
    );
  }, 60_000);
});
