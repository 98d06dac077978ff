import {
  type CopilotRequestContext,
  CopilotRequestHandler,
  type CopilotWebSocketHandler,
} from "@github/copilot-sdk";
import type { ModelProvider } from "../core/ports/agent-runtime.ts";
import type { Log } from "../core/ports/log.ts";

/** Stands where the runtime wants a key. The true one is put in on our side of the pipe. */
export const PLACEHOLDER_KEY = "kept-by-the-host";

/** Headers in which a request could bring a key of its own. */
const CREDENTIALS = ["authorization", "x-api-key", "api-key"];

/**
 * Carries the model calls of one runtime process, which needs neither a network nor the key for them: they come over its
 * pipe, go to the provider alone, and get the key here. Answers stream back as they come, errors and headers too; a call
 * that the runtime gives up is given up here.
 */
export class ModelGateway extends CopilotRequestHandler {
  readonly #provider: ModelProvider;
  readonly #log: Log;

  constructor(provider: ModelProvider, log: Log) {
    super();
    this.#provider = provider;
    this.#log = log;
  }

  protected override async sendRequest(
    request: Request,
    { signal }: CopilotRequestContext,
  ): Promise<Response> {
    if (!goesTo(request.url, this.#provider.baseUrl)) return this.#refused(request.url);
    const headers = new Headers(request.headers);
    for (const name of CREDENTIALS) headers.delete(name);
    const [name, value] = credentialOf(this.#provider);
    headers.set(name, value);
    // A provider that sends on to another place would be handed the key there.
    const answer = await fetch(request.url, {
      method: request.method,
      headers,
      body: request.body === null ? null : await request.arrayBuffer(),
      redirect: "error",
      signal,
    });
    return readable(answer);
  }

  protected override openWebSocket({ url }: CopilotRequestContext): Promise<CopilotWebSocketHandler> {
    this.#refused(url);
    return Promise.reject(new Error("model calls go by HTTP alone"));
  }

  #refused(url: string): Response {
    this.#log.warn(
      { url: originOf(url) },
      "a request of the runtime that does not go to the model provider was refused",
    );
    const message = "only the configured model provider is reached from here";
    return Response.json({ error: { message, code: "not_the_provider" } }, { status: 403 });
  }
}

/** True for the provider's own origin, at its base path or below. */
export function goesTo(url: string, baseUrl: string): boolean {
  const base = URL.parse(baseUrl);
  const asked = URL.parse(url);
  if (base === null || asked === null || asked.username !== "" || asked.password !== "") return false;
  const path = base.pathname.replace(/\/+$/, "");
  // A server could read an encoded slash or dot as a way out; an encoded percent sign hides one from a single decoding.
  const plain = !/%2e|%2f|%5c|%25/i.test(asked.pathname);
  return (
    asked.origin === base.origin &&
    plain &&
    (asked.pathname === path || asked.pathname.startsWith(`${path}/`))
  );
}

function credentialOf({ type, apiKey }: ModelProvider): readonly [string, string] {
  switch (type) {
    case "openai":
      return ["authorization", `Bearer ${apiKey}`];
    case "anthropic":
      return ["x-api-key", apiKey];
    case "azure":
      return ["api-key", apiKey];
  }
}

/** The body has been unpacked on the way: what the headers say of its packing holds no more. */
function readable(answer: Response): Response {
  const headers = new Headers(answer.headers);
  for (const name of ["content-encoding", "content-length"]) headers.delete(name);
  return new Response(answer.body, { status: answer.status, statusText: answer.statusText, headers });
}

function originOf(url: string): string {
  return URL.parse(url)?.origin ?? "no address";
}
