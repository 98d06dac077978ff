import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { answerOf, TITLE } from "./answer.ts";
import { anthropic } from "./anthropic-api.ts";
import { chat } from "./chat-api.ts";
import { chooseStep, commitIn, factIn, fillStep } from "./choose-step.ts";
import { gemini } from "./gemini-api.ts";
import type { ModelApi } from "./model-api.ts";
import { type ModelRequest, workingDirectoryIn } from "./model-request.ts";
import { responses } from "./responses-api.ts";
import type { Script, ScriptStep } from "./script.ts";

const APIS: readonly ModelApi[] = [chat, responses, anthropic, gemini];

export interface ScriptedModel {
  /** Base URL for a provider of OpenAI's APIs, ending in `/v1`. */
  readonly url: string;
  /** Base URL for a provider of Anthropic's or Google's API. */
  readonly origin: string;
  /** Every request so far, in order of arrival. */
  readonly requests: readonly ModelRequest[];
  /** Those whose client left before the answer. */
  readonly brokenOff: readonly ModelRequest[];
  /** Closes the server, including answers in progress. */
  close(): Promise<void>;
}

/**
 * Starts a model on HTTP that answers from its script, in each of the APIs. Port 0 takes a free port. `observe` is called
 * with each request before it is answered.
 */
export async function startScriptedModel(options: {
  script: Script;
  host: string;
  port: number;
  observe?: (request: ModelRequest) => void;
}): Promise<ScriptedModel> {
  const requests: ModelRequest[] = [];
  const brokenOff: ModelRequest[] = [];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const received = { url: request.url ?? "", body: await text(request), headers: request.headers };
    const path = received.url.split("?", 1)[0] ?? "";
    const api = APIS.find(({ serves }) => request.method === "POST" && serves(path));
    if (api === undefined) return refuse(response, chat, 404, "only model calls are served here");
    let parsed: ModelRequest;
    try {
      parsed = api.parse(received);
    } catch {
      return refuse(response, api, 400, "the body is not a request of this API");
    }
    requests.push(parsed);
    options.observe?.(parsed);
    const chosen = stepFor(parsed);
    if (!chosen)
      return refuse(
        response,
        api,
        400,
        "no conversation of the script matches this system prompt and first message",
      );
    if (chosen.delayMs) await wait(chosen.delayMs, response);
    if (response.destroyed) {
      brokenOff.push(parsed);
      return;
    }
    if (chosen.error)
      return refuse(response, api, chosen.error.status, chosen.error.message, chosen.error.headers);
    const step = fillStep(chosen, {
      cwd: workingDirectoryIn(parsed.messages) ?? "{{cwd}}",
      commit: commitIn(parsed.messages),
      fact: factIn(parsed.messages),
    });
    const said = answerOf(parsed, step);
    response.writeHead(200, { "content-type": parsed.stream ? "text/event-stream" : "application/json" });
    response.end(parsed.stream ? api.events(parsed, said) : api.body(parsed, said));
  }

  function stepFor({ messages, tools }: ModelRequest): ScriptStep | undefined {
    return tools.length === 0 ? TITLE : chooseStep(options.script, messages);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the scripted model has no port");
  const origin = `http://${options.host}:${address.port}`;
  return {
    url: `${origin}/v1`,
    origin,
    requests,
    brokenOff,
    async close() {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Waits for `ms`, or until the client disconnects. */
async function wait(ms: number, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  await delay(ms, undefined, { signal: gone.signal }).catch(() => undefined);
}

function refuse(
  response: ServerResponse,
  api: ModelApi,
  status: number,
  message: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(api.refusal(status, message));
}
