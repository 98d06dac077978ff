import type { RuntimeEvent } from "../../../domain/ports/agent-runtime.ts";
import { isModelCall, type Refusal, readCall } from "./asked-call.ts";
import { dialectAt, dialectOf } from "./dialects/dialect-of.ts";
import { type Caller, type CallsHost, ModelCalls } from "./model-calls.ts";
import type { SentMessages } from "./sent-messages.ts";

/** Placeholder where the runtime expects a key. The real key is added on our side of the pipe. */
export const PLACEHOLDER_KEY = "kept-by-the-host";

/**
 * Forwards the model calls of one runtime process, which needs neither network access nor the key for them:
 * calls come over its pipe and go only to the session's providers. It does not trust the pipe, into which an agent's
 * shell may write: it passes on only calls of the session's own model, to its provider's address.
 */
export class ModelGateway {
  readonly #caller: Caller;
  readonly #host: CallsHost;
  readonly #calls: ModelCalls;
  readonly #messages: SentMessages;

  constructor(caller: Caller, host: CallsHost & { readonly messages: SentMessages }) {
    this.#caller = caller;
    this.#host = host;
    this.#messages = host.messages;
    this.#calls = new ModelCalls(caller, host);
  }

  /** Receives the runtime's own report on a call, which is compared and not counted. */
  reported(usage: Extract<RuntimeEvent, { type: "usage" }>): void {
    this.#calls.underWay.check.reported(usage);
  }

  /** Abandons and counts all pending calls, because the process is gone. Resolves when what was sent is kept. */
  close(): Promise<void> {
    this.#calls.close();
    return this.#messages.written();
  }

  /**
   * Reports a difference between the runtime's and the provider's tokens, for a session that ended by itself.
   */
  compare(): void {
    const difference = this.#calls.underWay.check.difference();
    if (difference === null) return;
    this.#host.log.warn(
      { session: this.#caller.sessionId, ...difference },
      "token counts differ: the runtime reported others than were counted and recorded",
    );
    this.#caller.onEvent({ type: "usage_differs", ...difference });
  }

  /**
   * Sends a request of the runtime to the provider with the key, or answers why not. `signal` abandons the
   * call.
   */
  async send(request: Request, signal: AbortSignal): Promise<Response> {
    const { provider } = this.#caller;
    if (!goesTo(request.url, provider.baseUrl)) return this.notTheProvider(request.url);
    if (!isModelCall(request.method, request.url, provider.baseUrl))
      return this.#refused({
        status: 403,
        code: "not_a_model_call",
        message: "only model calls go out from here",
      });
    const asked = readCall(
      await request.arrayBuffer(),
      this.#caller.model,
      dialectAt(new URL(request.url).pathname, provider),
    );
    // Nothing is awaited between this check and the start of the call, so that concurrent calls count
    // together.
    const refusal = "code" in asked ? asked : this.#calls.limit();
    if (refusal !== null) return this.#refused(refusal);
    return "code" in asked ? this.#refused(asked) : this.#ask(request, asked, signal);
  }

  #ask(
    { url, headers }: Request,
    { body, promptTokens }: { readonly body: object; readonly promptTokens: number },
    signal: AbortSignal,
  ): Promise<Response> {
    const { provider } = this.#caller;
    const call = {
      body: this.#messages.next(body),
      promptTokens,
      headers,
      url: (at: Parameters<ReturnType<typeof dialectOf>["url"]>[0]) =>
        at.provider === provider ? url : dialectOf(at.provider).url(at, { streams: undefined, query: "" }),
    };
    return this.#calls.ask(call, signal);
  }

  /** Records and answers a request that may not be sent. */
  notTheProvider(url: string): Response {
    this.#host.log.warn(
      { url: originOf(url) },
      "runtime's request refused: it is not for the model provider",
    );
    return this.#answer({
      status: 403,
      code: "not_the_provider",
      message: "only the configured model provider is reached from here",
    });
  }

  #refused(refusal: Refusal): Response {
    this.#calls.refused(refusal);
    return this.#answer(refusal);
  }

  /** Formats the error as the provider would. */
  #answer(refusal: Refusal): Response {
    const { status } = refusal;
    const headers = status === 429 ? { "retry-after": "1" } : {};
    return Response.json(dialectOf(this.#caller.provider).error(refusal), { status, headers });
  }
}

/** Returns whether the URL is the provider's own origin, at or below its base path. */
export function goesTo(url: string, baseUrl: string): boolean {
  const base = URL.parse(baseUrl);
  const asked = URL.parse(url);
  if (base === null || asked === null || asked.username !== "" || asked.password !== "") return false;
  const path = base.pathname.replace(/\/+$/, "");
  // A server could read an encoded slash or dot as a way out; an encoded percent sign hides one from a single
  // decoding.
  const plain = !/%2e|%2f|%5c|%25/i.test(asked.pathname);
  return (
    asked.origin === base.origin &&
    plain &&
    (asked.pathname === path || asked.pathname.startsWith(`${path}/`))
  );
}

function originOf(url: string): string {
  return URL.parse(url)?.origin ?? "no address";
}
