import type { ModelProvider, RuntimeEvent, SessionSpec } from "../../../domain/ports/agent-runtime.ts";
import type { Log } from "../../../domain/ports/log.ts";
import { type AskedCall, isModelCall, type Refusal, readCall } from "./asked-call.ts";
import { CallsUnderWay } from "./calls-under-way.ts";

/** Stands where the runtime wants a key. The true one is put in on our side of the pipe. */
export const PLACEHOLDER_KEY = "kept-by-the-host";

/** Headers in which a request could bring a key of its own. */
const CREDENTIALS = ["authorization", "x-api-key", "api-key"];

/** Calls of one session at once; the runtime makes one, and one more while it shortens a conversation. */
const MOST_AT_ONCE = 4;

/** Failures of a connection that was never there: no provider was asked. */
const NOT_ASKED = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;

/** The session whose calls pass: what they may ask for, and who books them. */
export type GatewaySession = Pick<SessionSpec, "sessionId" | "model" | "mayCallModel" | "onEvent">;

/**
 * Carries the model calls of one runtime process, which needs neither a network nor the key for them: they come over its
 * pipe, go to the provider alone, and get the key here. It is the meter too: whoever writes into that pipe, only the session's
 * own model is asked, within its limits, and each call is booked by the provider's word. Answers stream back as they
 * come, errors and headers too; a call that the runtime gives up is given up here.
 */
export class ModelGateway {
  readonly #provider: ModelProvider;
  readonly #session: GatewaySession;
  readonly #log: Log;
  readonly #calls: CallsUnderWay;
  readonly #closed = new AbortController();
  readonly #refusals = new Set<string>();

  constructor(provider: ModelProvider, session: GatewaySession, log: Log) {
    this.#provider = provider;
    this.#session = session;
    this.#log = log;
    this.#calls = new CallsUnderWay(session);
  }

  /** The runtime's own word on a call, which is compared and not booked. */
  reported(usage: Extract<RuntimeEvent, { type: "usage" }>): void {
    this.#calls.check.reported(usage);
  }

  /** The process is gone: what is under way is given up and booked. */
  close(): void {
    this.#closed.abort();
  }

  /** Says it where the runtime has reported other tokens than the provider; for a session that came to its end by itself. */
  compare(): void {
    const difference = this.#calls.check.difference();
    if (difference === null) return;
    this.#log.warn(
      { session: this.#session.sessionId, ...difference },
      "the runtime reported other tokens of model calls than were counted; what was counted is booked",
    );
    this.#session.onEvent({ type: "usage_differs", ...difference });
  }

  /** Sends a request of the runtime to the provider, with the key, or answers why not. `signal` gives the call up. */
  async send(request: Request, signal: AbortSignal): Promise<Response> {
    if (!goesTo(request.url, this.#provider.baseUrl)) return this.notTheProvider(request.url);
    if (!isModelCall(request.method, request.url, this.#provider.baseUrl))
      return this.#refused({
        status: 403,
        code: "not_a_model_call",
        message: "only model calls go out from here",
      });
    const asked = readCall(await request.arrayBuffer(), this.#session.model);
    // Nothing is waited for between this and the beginning of the call: calls that come together count together.
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
    let answer: Response;
    try {
      // A provider that sends on to another place would be handed the key there.
      answer = await fetch(request.url, { method: "POST", headers, body, redirect: "error", signal: cut });
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

  /** Notes a request that may not go out, and answers it. */
  notTheProvider(url: string): Response {
    this.#log.warn(
      { url: originOf(url) },
      "a request of the runtime that does not go to the model provider was refused",
    );
    return this.#answer({
      status: 403,
      code: "not_the_provider",
      message: "only the configured model provider is reached from here",
    });
  }

  /** Said once for each reason, however often it is tried. */
  #refused(refusal: Refusal): Response {
    const { code, message } = refusal;
    if (!this.#refusals.has(code)) {
      this.#refusals.add(code);
      this.#log.warn({ session: this.#session.sessionId, code, message }, "a model call was refused");
      this.#session.onEvent({ type: "model_call_refused", reason: `${code}: ${message}` });
    }
    return this.#answer(refusal);
  }

  /** In the words of the provider's own errors. */
  #answer({ status, code, message }: Refusal): Response {
    const error =
      this.#provider.type === "anthropic"
        ? { type: "error", error: { type: "permission_error", message: `${code}: ${message}` } }
        : { error: { message, type: "invalid_request_error", param: null, code } };
    const headers = status === 429 ? { "retry-after": "1" } : {};
    return Response.json(error, { status, headers });
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
function readable(answer: Response, body: Response["body"]): Response {
  const headers = new Headers(answer.headers);
  for (const name of ["content-encoding", "content-length"]) headers.delete(name);
  return new Response(body, { status: answer.status, statusText: answer.statusText, headers });
}

/** Whether a provider may have begun to answer a call that failed. */
function wasAsked(error: unknown): boolean {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : null;
  return !(cause !== null && "code" in cause && NOT_ASKED.test(String(cause.code)));
}

function originOf(url: string): string {
  return URL.parse(url)?.origin ?? "no address";
}
