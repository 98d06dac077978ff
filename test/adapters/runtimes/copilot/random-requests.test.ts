import { createServer, type IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { z } from "zod";
import { GatewayRequests } from "../../../../src/adapters/runtimes/copilot/gateway-requests.ts";
import { ModelGateway } from "../../../../src/adapters/runtimes/gateway/model-gateway.ts";
import { RefusedModels } from "../../../../src/adapters/runtimes/gateway/refused-models.ts";
import { SentMessages } from "../../../../src/adapters/runtimes/gateway/sent-messages.ts";
import type { ModelProvider } from "../../../../src/domain/ports/agent-runtime.ts";
import { portOf } from "../../../listening.ts";
import { randomOf } from "../../../random.ts";
import { realClock } from "../real-harness.ts";

const REQUESTS = 10_000;
const AT_ONCE = 20;
const SEED = 20_261_123;
const KEY = "canary-of-the-provider";

interface Adapter {
  httpRequestStart(params: object): Promise<object>;
  httpRequestChunk(params: object): Promise<object>;
}

/** The SDK's side of the runtime's pipe, which its package does not export. */
const { createCopilotRequestAdapter } = z
  .object({
    createCopilotRequestAdapter: z.custom<(handler: GatewayRequests, rpc: () => object) => Adapter>(),
  })
  .parse(
    await import(new URL("copilotRequestHandler.js", import.meta.resolve("@github/copilot-sdk")).pathname),
  );

const called = z.object({ model: z.literal("own") });

/** A server of this test's that notes what it is asked. */
async function aServer() {
  const seen: { request: IncomingMessage; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (part: string) => {
      body += part;
    });
    request.on("end", () => {
      seen.push({ request, body });
      response.end('{"usage":{"prompt_tokens":1,"completion_tokens":1}}');
    });
  });
  return { seen, origin: `http://127.0.0.1:${await portOf(server)}` };
}

function targets(own: string, elsewhere: string): readonly string[] {
  const host = own.slice("http://".length);
  return [
    `${own}/v1/chat/completions`,
    `${own}/v1/chat/completions`,
    `${own}/v1/responses`,
    `${own}/v1/messages`,
    `${own}/v1`,
    `${own}/`,
    elsewhere,
    `${elsewhere}/v1/chat/completions`,
    `http://user:word@${host}/v1/chat/completions`,
    `http://${host}@${elsewhere.slice("http://".length)}/v1/chat/completions`,
    `http:${host}/v1/`,
    `//${host}/v1/chat/completions`,
    `https://${host}/v1/chat/completions`,
    "/v1/chat/completions",
    "file:///etc/passwd",
    "data:,x",
    "http://",
    "http://[::bad",
    "http://a:99999/",
    "",
  ];
}

const PIECES =
  "/ // .. . % %2e %2f %5c %25 %00 %ff \\ ? & = # @ : [ ] ; ~ * chat/completions responses messages models files a é \u0000".split(
    " ",
  );
const METHODS = [
  "POST",
  "POST",
  "POST",
  "post",
  "GET",
  "PUT",
  "DELETE",
  "HEAD",
  "TRACE",
  "CONNECT",
  "",
  "A B",
];
const HEADERS: readonly (readonly [string, readonly string[]])[] = [
  ["authorization", ["Bearer mine"]],
  ["Authorization", ["a", "b"]],
  ["x-api-key", ["mine"]],
  ["api-key", ["mine"]],
  ["host", ["evil.test"]],
  ["content-length", ["5"]],
  ["transfer-encoding", ["chunked"]],
  ["content-type", ["text/plain"]],
  ["x-long", ["x".repeat(5000)]],
  ["x-lines", ["a\r\nx-more: b"]],
  ["bad name", ["a"]],
  ["", [""]],
  ["x-bytes", ["\u0000", "é", "漢"]],
  ["expect", ["100-continue"]],
  ["connection", ["upgrade"]],
];
const BODIES = [
  '{"model":"own","messages":[]}',
  '{"model":"own","messages":[]}',
  '{"model":"the-dearest"}',
  '{"model":"the-dearest","model":"own"}',
  '{"model":"own","fallbacks":["the-dearest"]}',
  '{"model":',
  "[]",
  "",
  "\u0000\uFFFD",
];

test(`${REQUESTS} random requests of a runtime are each answered, and only model calls reach the provider`, async () => {
  const random = randomOf(SEED);
  const pick = <T>(from: readonly T[], none: T): T => from[Math.floor(random() * from.length)] ?? none;
  const [own, elsewhere] = [await aServer(), await aServer()];
  const provider: ModelProvider = {
    type: "openai",
    baseUrl: `${own.origin}/v1`,
    apiKey: KEY,
    wireApi: "completions",
    maxPromptTokens: undefined,
  };
  const answered = new Map<string, number[]>();
  const ended = new Map<string, () => void>();
  const llmInference = {
    httpResponseStart: async ({ requestId, status }: { requestId: string; status: number }) => {
      answered.set(requestId, [...(answered.get(requestId) ?? []), status]);
    },
    httpResponseChunk: async ({ requestId, end }: { requestId: string; end: boolean }) => {
      if (end) ended.get(requestId)?.();
    },
  };
  const faults: object[] = [];
  const note = (fields: object) => void faults.push(fields);
  const log = { debug() {}, info() {}, warn() {}, error: note };
  const session = {
    provider,
    otherModels: [],
    effort: undefined,
    sessionId: "s",
    model: "own",
    temperature: undefined,
    mayCallModel: () => null,
    onEvent() {},
  };
  const messages = await SentMessages.open(null, log);
  const adapter = createCopilotRequestAdapter(
    new GatewayRequests(
      new ModelGateway(session, { log, messages, clock: realClock, refused: new RefusedModels(realClock) }),
    ),
    () => ({ llmInference }),
  );
  const known = targets(own.origin, elsewhere.origin);

  async function ask(requestId: string): Promise<void> {
    const pieces = Array.from({ length: random() < 0.5 ? 0 : Math.floor(random() * 6) }, () =>
      pick(PIECES, "/"),
    );
    const headers = Object.fromEntries(
      Array.from({ length: Math.floor(random() * 4) }, () => pick(HEADERS, ["a", ["b"]])),
    );
    const over = new Promise<void>((resolve) => ended.set(requestId, resolve));
    const transport = random() < 0.05 ? "websocket" : "http";
    const url = pick(known, "") + pieces.join("");
    await adapter.httpRequestStart({ requestId, url, method: pick(METHODS, "POST"), headers, transport });
    await adapter.httpRequestChunk({ requestId, data: pick(BODIES, ""), end: true });
    await over;
  }

  for (let sent = 0; sent < REQUESTS; sent += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => ask(String(sent + at))));
  expect(answered.size).toBe(REQUESTS);
  const statuses = [...answered.values()];
  expect(statuses.filter(({ length }) => length !== 1)).toEqual([]);
  expect(faults).toEqual([]);
  expect(elsewhere.seen).toEqual([]);
  expect(own.seen.length).toBeGreaterThan(50);
  const wrong = own.seen.filter(
    ({ request: { method, url, headers }, body }) =>
      method !== "POST" ||
      !/^\/v1\/(?:chat\/completions|responses|messages)(?:\?|$)/.test(url ?? "") ||
      headers.authorization !== `Bearer ${KEY}` ||
      headers["x-api-key"] !== undefined ||
      headers["api-key"] !== undefined ||
      !called.safeParse(JSON.parse(body)).success ||
      body.includes("the-dearest"),
  );
  expect(wrong).toEqual([]);
}, 240_000);
