import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { completionBody, completionEvents } from "./chat-answer.ts";
import { type ModelRequest, parseChatRequest, workingDirectoryIn } from "./chat-request.ts";
import { chooseStep, commitIn, fillStep } from "./choose-step.ts";
import type { Script } from "./script.ts";

export interface ScriptedModel {
  /** Base URL for an OpenAI-compatible provider, ending in `/v1`. */
  readonly url: string;
  /** Every request so far, in order of arrival. */
  readonly requests: readonly ModelRequest[];
  /** Those whose client left before the answer. */
  readonly brokenOff: readonly ModelRequest[];
  /** Closes the server, including answers in progress. */
  close(): Promise<void>;
}

/**
 * Starts an OpenAI-compatible model on HTTP that answers from its script. Port 0 takes a free port. `observe` is called
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
    const body = await text(request);
    if (request.method !== "POST" || request.url !== "/v1/chat/completions") {
      return refuse(response, 404, "only POST /v1/chat/completions is served here");
    }
    let parsed: ModelRequest;
    try {
      parsed = parseChatRequest(body, request.headers.authorization);
    } catch {
      return refuse(response, 400, "the body is not a chat completion request");
    }
    requests.push(parsed);
    options.observe?.(parsed);
    const chosen = chooseStep(options.script, parsed.messages);
    if (!chosen)
      return refuse(
        response,
        400,
        "no conversation of the script matches this system prompt and first message",
      );
    if (chosen.delayMs) await wait(chosen.delayMs, response);
    if (response.destroyed) {
      brokenOff.push(parsed);
      return;
    }
    if (chosen.error)
      return refuse(response, chosen.error.status, chosen.error.message, chosen.error.headers);
    const step = fillStep(chosen, {
      cwd: workingDirectoryIn(parsed.messages) ?? "{{cwd}}",
      commit: commitIn(parsed.messages),
    });
    response.writeHead(200, { "content-type": parsed.stream ? "text/event-stream" : "application/json" });
    response.end(parsed.stream ? completionEvents(parsed, step) : completionBody(parsed, step));
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
  return {
    url: `http://${options.host}:${address.port}/v1`,
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
  status: number,
  message: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify({ error: { message, type: "scripted", code: String(status) } }));
}
