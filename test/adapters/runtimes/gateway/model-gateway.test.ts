import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import {
  goesTo,
  ModelGateway,
  PLACEHOLDER_KEY,
} from "../../../../src/adapters/runtimes/gateway/model-gateway.ts";
import { RefusedModels } from "../../../../src/adapters/runtimes/gateway/refused-models.ts";
import { SentMessages } from "../../../../src/adapters/runtimes/gateway/sent-messages.ts";
import type { ModelProvider, RuntimeEvent } from "../../../../src/domain/ports/agent-runtime.ts";
import { realClock } from "../real-harness.ts";

const CALL = '{"model":"own","messages":[]}';
const KEY = "canary-3f9a1c-of-the-provider";

/** The gateway, asked as a runtime asks it. */
class Asked extends ModelGateway {
  ask(
    url: string,
    headers: Record<string, string> = {},
    signal = new AbortController().signal,
  ): Promise<Response> {
    return this.send(new Request(url, { method: "POST", headers, body: CALL }), signal);
  }
}

async function gateway(answer: RequestListener, type: ModelProvider["type"] = "openai") {
  const seen: IncomingMessage[] = [];
  const logged: object[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address: AddressInfo | string | null = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/v1`;
  const provider: ModelProvider = {
    type,
    baseUrl: url,
    apiKey: KEY,
    wireApi: "completions",
    maxPromptTokens: undefined,
  };
  const keep = (fields: object) => void logged.push(fields);
  const log = { debug: keep, info: keep, warn: keep, error: keep };
  const events: RuntimeEvent[] = [];
  const session = {
    provider,
    otherModels: [],
    effort: undefined,
    sessionId: "s",
    model: "own",
    temperature: undefined,
    mayCallModel: () => null,
    onEvent: (event: RuntimeEvent) => void events.push(event),
  };
  const messages = await SentMessages.open(null, log);
  const host = { log, messages, clock: realClock, refused: new RefusedModels(realClock) };
  return { asked: new Asked(session, host), url, seen, logged, events };
}

const WORD = 'data: {"choices":[{"delta":{"content":"first"}}]}\n\n';

const plain: RequestListener = (_, response) => void response.end("{}");

test.each([
  ["openai", "authorization", `Bearer ${KEY}`],
  ["anthropic", "x-api-key", KEY],
  ["azure", "api-key", KEY],
  ["gemini", "x-goog-api-key", KEY],
] as const)(
  "the key of %s is put in on our side, in place of whatever stood there",
  async (type, name, value) => {
    const { asked, url, seen } = await gateway(plain, type);
    const theirs = {
      authorization: `Bearer ${PLACEHOLDER_KEY}`,
      "x-api-key": "x",
      "api-key": "y",
      "x-goog-api-key": "w",
      other: "z",
    };
    await asked.ask(`${url}/chat/completions`, theirs);
    const { other, ...headers } = seen[0]?.headers ?? {};
    const credentials = Object.entries(headers).filter(([one]) => /authorization|key/.test(one));
    expect(credentials).toEqual([[name, value]]);
    expect(other).toBeUndefined();
  },
);

test("only the provider is reached, at its path; anything else is refused, said to us, and brings no key there", async () => {
  const { asked, url, seen, logged } = await gateway(plain);
  const origin = new URL(url).origin;
  const elsewhere = [
    `${origin}/v2/chat`,
    `${origin}/v1x`,
    `${origin}/v1/../admin`,
    `${origin}/v1/%2e%2e/admin`,
    `${origin}/v1/..%2fadmin`,
    `${origin}/v1/%252e%252e/admin`,
    `${origin}/v1/%25252e%25252e/admin`,
    `http://user:word@${new URL(url).host}/v1/chat`,
    "http://127.0.0.1:1/v1/chat",
    "http://169.254.169.254/v1/latest",
    "https://example.com/v1/chat",
  ];
  expect(elsewhere.filter((one) => goesTo(one, url))).toEqual([]);
  expect((await asked.ask(`${origin}/v2/chat?key=1`)).status).toBe(403);
  expect(seen).toEqual([]);
  expect(logged).toEqual([{ url: origin }]);
});

test("a provider that sends on elsewhere is not followed, so the key does not go there", async () => {
  const { asked, url, seen } = await gateway((request, response) => {
    if (request.url === "/v1/messages") response.writeHead(307, { location: "/v1/responses" });
    response.end();
  });
  await expect(asked.ask(`${url}/messages`)).rejects.toThrow("fetch failed");
  expect(seen).toHaveLength(1);
});

test("errors pass with their status, their headers and their words", async () => {
  const { asked, url } = await gateway((_, response) => {
    response.writeHead(429, { "retry-after": "17", "x-ratelimit-reset-requests": "1s" });
    response.end('{"error":"slow"}');
  });
  const answer = await asked.ask(`${url}/chat/completions`);
  expect([answer.status, answer.headers.get("retry-after"), await answer.text()]).toEqual([
    429,
    "17",
    '{"error":"slow"}',
  ]);
});

test("an answer streams: what came first is read before the rest is sent", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { asked, url } = await gateway((_, response) => {
    response.write(WORD);
    void promise.then(() => response.end("rest"));
  });
  const reader = (await asked.ask(`${url}/chat/completions`)).body?.getReader();
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe(WORD);
  resolve();
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("rest");
});

test("an answer that came packed is handed on unpacked, and does not say that it is packed", async () => {
  const { asked, url } = await gateway((_, response) => {
    response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(WORD));
  });
  const answer = await asked.ask(`${url}/chat/completions`);
  expect([answer.headers.get("content-encoding"), await answer.text()]).toEqual([null, WORD]);
});

test("a call that the runtime gives up is given up towards the provider", async () => {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  const { asked, url } = await gateway((request) => {
    request.once("close", resolve);
    reach();
  });
  const abort = new AbortController();
  const asking = asked.ask(`${url}/chat/completions`, {}, abort.signal);
  await reached;
  abort.abort();
  await expect(asking).rejects.toThrow("aborted");
  await closed;
});
