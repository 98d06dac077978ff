import type { ModelProvider, RuntimeEvent, SessionSpec } from "../../../domain/ports/agent-runtime.ts";
import type { Log } from "../../../domain/ports/log.ts";
import { type AskedCall, isModelCall, type Refusal, readCall } from "./asked-call.ts";
import { CallsUnderWay } from "./calls-under-way.ts";
import type { SentMessages } from "./sent-messages.ts";

/** Placeholder where the runtime expects a key. The real key is added on our side of the pipe. */
export const PLACEHOLDER_KEY = "kept-by-the-host";

/** Headers by which a request could bring its own key. */
const CREDENTIALS = ["authorization", "x-api-key", "api-key", "x-goog-api-key"];

/** Concurrent calls of one session; the runtime makes one, and another while it shortens a conversation. */
const MOST_AT_ONCE = 4;

/** Errors of connections that were never established: no provider was reached. */
const NOT_ASKED = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;

/** The session whose calls pass: what they may ask for, and where they are counted. */
export type GatewaySession = Pick<
  SessionSpec,
  "sessionId" | "model" | "temperature" | "mayCallModel" | "onEvent"
>;

/**
 * Forwards the model calls of one runtime process, which needs neither network access nor the key for them:
 * calls come over its pipe, go only to the provider and get the key here. It does not trust the pipe, into
 * which an agent's shell may write: it passes on only calls of the session's own model, within its limits, and
 * counts each call by the provider's report. Answers stream back with errors and headers; a call that the runtime abandons is
 * abandoned here.
 */
export class ModelGateway {
  readonly #provider: ModelProvider;
  readonly #session: GatewaySession;
  readonly #log: Log;
  readonly #calls: CallsUnderWay;
  readonly #closed = new AbortController();
  readonly #refusals = new Set<string>();
  readonly #messages: SentMessages;

  constructor(
    provider: ModelProvider,
    session: GatewaySession,
    { log, messages }: { readonly log: Log; readonly messages: SentMessages },
  ) {
    this.#messages = messages;
    this.#provider = provider;
    this.#session = session;
    this.#log = log;
    this.#calls = new CallsUnderWay(session);
  }

  /** Receives the runtime's own report on a call, which is compared and not counted. */
  reported(usage: Extract<RuntimeEvent, { type: "usage" }>): void {
    this.#calls.check.reported(usage);
  }

  /** Abandons and counts all pending calls, because the process is gone. Resolves when what was sent is kept. */
  close(): Promise<void> {
    this.#closed.abort();
    return this.#messages.written();
  }

  /**
   * Reports a difference between the runtime's and the provider's tokens, for a session that ended by itself.
   */
  compare(): void {
    const difference = this.#calls.check.difference();
    if (difference === null) return;
    this.#log.warn(
      { session: this.#session.sessionId, ...difference },
      "token counts differ: the runtime reported others than were counted and recorded",
    );
    this.#session.onEvent({ type: "usage_differs", ...difference });
  }

  /**
   * Sends a request of the runtime to the provider with the key, or answers why not. `signal` abandons the
   * call.
   */
  async send(request: Request, signal: AbortSignal): Promise<Response> {
    if (!goesTo(request.url, this.#provider.baseUrl)) return this.notTheProvider(request.url);
    if (!isModelCall(request.method, request.url, this.#provider.baseUrl))
      return this.#refused({
        status: 403,
        code: "not_a_model_call",
        message: "only model calls go out from here",
      });
    const asked = readCall(await request.arrayBuffer(), this.#session);
    // Nothing is awaited between this check and the start of the call, so that concurrent calls count
    // together.
    const refusal = "code" in asked ? asked : this.#limit();
    if (refusal !== null) return this.#refused(refusal);
    return "code" in asked ? this.#refused(asked) : this.#send(request, asked, signal);
  }

  async #send(request: Request, { body, promptTokens }: AskedCall, signal: AbortSignal): Promise<Response> {
    const headers = new Headers(request.headers);
    for (const name of CREDENTIALS) headers.delete(name);
    const [name, value] = credentialOf(this.#provider);
    headers.set(name, value);
    headers.set("content-type", "application/json");
    const cut = AbortSignal.any([signal, this.#closed.signal]);
    const call = this.#calls.begin(promptTokens);
    const text = JSON.stringify(this.#messages.next(body));
    let answer: Response;
    try {
      // A redirect would hand the key to another server.
      answer = await fetch(request.url, {
        method: "POST",
        headers,
        body: text,
        redirect: "error",
        signal: cut,
      });
    } catch (error) {
      if (wasAsked(error)) call.lost();
      else call.free();
      throw error;
    }
    if (answer.ok) return readable(answer, call.pass(answer.body, cut));
    call.free();
    return readable(answer, answer.body);
  }

  #limit(): Refusal | null {
    if (this.#calls.count >= MOST_AT_ONCE)
      return {
        status: 429,
        code: "too_many_at_once",
        message: `at most ${MOST_AT_ONCE} model calls at once`,
      };
    const message = this.#session.mayCallModel(this.#calls.promptTokens);
    return message === null ? null : { status: 403, code: "limit_reached", message };
  }

  /** Records and answers a request that may not be sent. */
  notTheProvider(url: string): Response {
    this.#log.warn({ url: originOf(url) }, "runtime's request refused: it is not for the model provider");
    return this.#answer({
      status: 403,
      code: "not_the_provider",
      message: "only the configured model provider is reached from here",
    });
  }

  /** Reports each reason once, however often it occurs. */
  #refused(refusal: Refusal): Response {
    const { code, message } = refusal;
    if (!this.#refusals.has(code)) {
      this.#refusals.add(code);
      this.#log.warn({ session: this.#session.sessionId, code, message }, "model call refused");
      this.#session.onEvent({ type: "model_call_refused", reason: `${code}: ${message}` });
    }
    return this.#answer(refusal);
  }

  /** Formats the error as the provider would. */
  #answer({ status, code, message }: Refusal): Response {
    const error =
      this.#provider.type === "anthropic"
        ? { type: "error", error: { type: "permission_error", message: `${code}: ${message}` } }
        : { error: { message, type: "invalid_request_error", param: null, code } };
    const headers = status === 429 ? { "retry-after": "1" } : {};
    return Response.json(error, { status, headers });
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

function credentialOf({ type, apiKey }: ModelProvider): readonly [string, string] {
  switch (type) {
    case "openai":
      return ["authorization", `Bearer ${apiKey}`];
    case "anthropic":
      return ["x-api-key", apiKey];
    case "azure":
      return ["api-key", apiKey];
    case "gemini":
      return ["x-goog-api-key", apiKey];
  }
}

/** Removes the headers about encoding: the body has been decoded on the way. */
function readable(answer: Response, body: Response["body"]): Response {
  const headers = new Headers(answer.headers);
  for (const name of ["content-encoding", "content-length"]) headers.delete(name);
  return new Response(body, { status: answer.status, statusText: answer.statusText, headers });
}

/** Returns whether a provider may have begun to answer a failed call. */
function wasAsked(error: unknown): boolean {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : null;
  return !(cause !== null && "code" in cause && NOT_ASKED.test(String(cause.code)));
}

function originOf(url: string): string {
  return URL.parse(url)?.origin ?? "no address";
}
