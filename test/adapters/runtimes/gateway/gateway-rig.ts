import { createServer, type RequestListener, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import { ModelGateway } from "../../../../src/adapters/runtimes/gateway/model-gateway.ts";
import { RefusedModels } from "../../../../src/adapters/runtimes/gateway/refused-models.ts";
import { SentMessages } from "../../../../src/adapters/runtimes/gateway/sent-messages.ts";
import type {
  Effort,
  ModelAt,
  ModelProvider,
  RuntimeEvent,
} from "../../../../src/domain/ports/agent-runtime.ts";
import { realClock } from "../real-harness.ts";

export type Usage = Extract<RuntimeEvent, { type: "usage" }>;

/** The gateway, asked as a runtime asks it. */
class Asked extends ModelGateway {
  ask(
    url: string,
    body: string | Uint8Array<ArrayBuffer> = asking(),
    { method = "POST", signal = new AbortController().signal } = {},
  ): Promise<Response> {
    const request = new Request(url, { method, ...(method === "GET" ? {} : { body }) });
    return this.send(request, signal);
  }
}

export const asking = (more: object = {}) =>
  JSON.stringify({ model: "own", stream: true, messages: [], ...more });
export const estimate = (text: string) => Math.ceil(Buffer.byteLength(text) / 3);

export async function gateway(
  answer: RequestListener,
  given: {
    type?: ModelProvider["type"];
    mayCallModel?: (underWay: number) => string | null;
    temperature?: number;
    effort?: Effort;
    otherModels?: readonly ModelAt[];
    refused?: RefusedModels;
  } = {},
) {
  const bodies: string[] = [];
  const events: RuntimeEvent[] = [];
  const logged: object[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on("end", () => {
      bodies.push(body);
      answer(request, response);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const end = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(end);
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/v1`;
  const { type = "openai", mayCallModel = () => null, temperature } = given;
  const provider: ModelProvider = {
    type,
    baseUrl: url,
    apiKey: "k",
    wireApi: "completions",
    maxPromptTokens: undefined,
  };
  const keep = (fields: object) => void logged.push(fields);
  const log = { debug: keep, info: keep, warn: keep, error: keep };
  const onEvent = (event: RuntimeEvent) => void events.push(event);
  const session = {
    sessionId: "s",
    model: "own",
    provider,
    otherModels: given.otherModels ?? [],
    effort: given.effort,
    temperature,
    mayCallModel,
    onEvent,
  };
  const refused = given.refused ?? new RefusedModels(realClock);
  const asked = new Asked(session, {
    log,
    clock: realClock,
    refused,
    messages: await SentMessages.open(null, log),
  });
  const booked = () => events.filter((event): event is Usage => event.type === "usage");
  return { asked, url, bodies, events, booked, logged, end };
}

export const json = (value: object) => (_: unknown, response: ServerResponse) =>
  void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
export const use = (inputTokens: number, outputTokens: number, cachedTokens: number, answered = true) => ({
  type: "usage",
  model: "own",
  inputTokens,
  outputTokens,
  cachedTokens,
  answered,
});

export const CHAT = {
  prompt_tokens: 1000,
  completion_tokens: 10,
  prompt_tokens_details: { cached_tokens: 600 },
};
