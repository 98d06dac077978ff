import { spawn } from "node:child_process";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import { BRIDGE } from "../../../../src/adapters/runtimes/acp/host-side.ts";
import { portOf } from "../../../listening.ts";

type Answer = (asked: { id?: number; method: string }, response: ServerResponse) => void;

/** Runs the bridge as an agent does, beside a host that answers so. */
async function bridged(answer: Answer) {
  const got: string[] = [];
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const asked = JSON.parse(await text(request));
    got.push([request.method, request.url, request.headers.authorization, asked.method].join(" "));
    answer(asked, response);
  };
  const host = createServer((request, response) => void serve(request, response));
  const port = await portOf(host);
  onTestFinished(() => {
    host.closeAllConnections();
    host.close();
  });
  const child = spawn(process.execPath, [BRIDGE, `http://127.0.0.1:${port}/mcp`, "the-key"], {
    env: {},
    stdio: "pipe",
  });
  onTestFinished(() => void child.kill());
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    got,
    tell: (message: object) => void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`),
    heard: async (): Promise<unknown> => JSON.parse((await lines.next()).value ?? "null"),
    end: () => {
      const exited = new Promise((resolve) => void child.once("exit", resolve));
      child.stdin.end();
      return exited;
    },
  };
}

const json = (response: ServerResponse, body: object) =>
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));

it("passes each message on with the key, and writes each answer as a line, whichever comes first", async () => {
  const slow = Promise.withResolvers<() => void>();
  const { tell, heard, got } = await bridged(({ id, method }, response) => {
    if (id === undefined) response.writeHead(202).end();
    else if (method === "slow") slow.resolve(() => json(response, { jsonrpc: "2.0", id, result: "slow" }));
    else {
      const event = JSON.stringify({ jsonrpc: "2.0", id, result: "quick" });
      response.writeHead(200, { "content-type": "text/event-stream" }).end(`: wait\n\ndata: ${event}\n\n`);
    }
  });
  tell({ id: 1, method: "slow" });
  tell({ method: "notifications/initialized" });
  tell({ id: 2, method: "quick" });
  expect(await heard()).toEqual({ jsonrpc: "2.0", id: 2, result: "quick" });
  (await slow.promise)();
  expect(await heard()).toEqual({ jsonrpc: "2.0", id: 1, result: "slow" });
  expect(new Set(got)).toEqual(
    new Set(
      ["slow", "notifications/initialized", "quick"].map((method) => `POST /mcp Bearer the-key ${method}`),
    ),
  );
});

it.each<[string, Answer]>([
  ["refuses", (_, response) => void response.writeHead(413).end('{"error":{"code":"too_large"}}')],
  ["breaks off", (_, response) => void response.destroy()],
  ["says nothing", (_, response) => void response.writeHead(200).end()],
])("answers a request with an error where the host %s", async (_, answer) => {
  const { tell, heard } = await bridged(answer);
  tell({ method: "notifications/initialized" });
  tell({ id: "seven", method: "tools/list" });
  expect(await heard()).toEqual({
    jsonrpc: "2.0",
    id: "seven",
    error: { code: -32_603, message: "The host did not answer." },
  });
});

it("ends with its input, also while the host is at work", async () => {
  const asked = Promise.withResolvers<void>();
  const { tell, end } = await bridged(() => asked.resolve());
  tell({ id: 1, method: "tools/call" });
  await asked.promise;
  expect(await end()).toBe(0);
});
