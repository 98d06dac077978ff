import type { ModelAt, SessionSpec } from "../../../domain/ports/agent-runtime.ts";
import type { Clock } from "../../../domain/ports/clock.ts";
import type { Log } from "../../../domain/ports/log.ts";
import type { Refusal } from "./asked-call.ts";
import { CallsUnderWay, type CallUnderWay } from "./calls-under-way.ts";
import type { Dialect } from "./dialects/dialect.ts";
import { dialectOf } from "./dialects/dialect-of.ts";
import { faultAnswer, isRequestsOwn } from "./fault-answer.ts";
import { NO_CONTENT, untilFirstWord } from "./first-word.ts";
import { headersForAgent, headersForProvider } from "./passed-headers.ts";
import type { RefusedModels } from "./refused-models.ts";
import { retryAfterOf } from "./retry-after.ts";

/** Concurrent calls of one session; an agent makes one, and another while it shortens a conversation. */
const MOST_AT_ONCE = 4;

/** Errors of connections that were never established: no provider was reached. */
const NOT_ASKED = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;

/** The session whose calls pass: what they may ask for, and where they are counted. */
export type Caller = Pick<
  SessionSpec,
  "sessionId" | "model" | "otherModels" | "effort" | "temperature" | "mayCallModel" | "onEvent"
> & { readonly provider: ModelAt["provider"] };

/** What the host knows while it passes calls on. */
export interface CallsHost {
  readonly log: Log;
  readonly clock: Clock;
  readonly refused: RefusedModels;
}

/** A request that may go out. */
export interface OutgoingCall {
  readonly body: object;
  /** An estimate. */
  readonly promptTokens: number;
  readonly headers: Headers;
  /** Returns the address of the call at a model. */
  url(at: ModelAt): string;
  /** Called after the call is counted. */
  readonly onUsed?: (inputTokens: number) => void;
}

/**
 * The model calls of one session: each within its limits, counted by the provider's report, with the key that is added
 * here. Where a model refuses for its own sake, the next of the session's models is asked, before any of the answer is
 * passed on. Answers stream back with errors and headers; a call that is abandoned is abandoned here.
 */
export class ModelCalls {
  readonly underWay: CallsUnderWay;
  readonly #models: readonly [ModelAt, ...ModelAt[]];
  readonly #caller: Caller;
  readonly #host: CallsHost;
  readonly #dialect: Dialect;
  readonly #closed = new AbortController();
  readonly #told = new Set<string>();
  readonly #estimates = new Set<string>();
  #present: ModelAt;

  constructor(caller: Caller, host: CallsHost) {
    this.underWay = new CallsUnderWay(caller, (model) => this.#estimated(model));
    this.#present = { provider: caller.provider, model: caller.model };
    this.#models = [this.#present, ...caller.otherModels];
    this.#caller = caller;
    this.#host = host;
    this.#dialect = dialectOf(caller.provider);
  }

  /** Abandons and counts all calls under way. */
  close(): void {
    this.#closed.abort();
  }

  /** Returns why no call may begin now, or null. Nothing may be awaited between this and `ask`. */
  limit(): Refusal | null {
    if (this.underWay.count >= MOST_AT_ONCE)
      return {
        status: 429,
        code: "too_many_at_once",
        message: `at most ${MOST_AT_ONCE} model calls at once`,
      };
    const message = this.#caller.mayCallModel(this.underWay.promptTokens);
    return message === null ? null : { status: 403, code: "limit_reached", message };
  }

  /** Records that a request was not sent. Reports each reason once, however often it occurs. */
  refused({ code, message }: Refusal): void {
    if (this.#told.has(code)) return;
    this.#told.add(code);
    this.#host.log.warn({ session: this.#caller.sessionId, code, message }, "model call refused");
    this.#caller.onEvent({ type: "model_call_refused", reason: `${code}: ${message}` });
  }

  /** Tells once of each model whose provider reports no usage. */
  #estimated(model: string): void {
    if (this.#estimates.has(model)) return;
    this.#estimates.add(model);
    const { sessionId: session } = this.#caller;
    this.#host.log.warn(
      { session, model },
      "the provider does not say what its answers take: tokens are estimated",
    );
  }

  /**
   * Sends the call and returns the answer, or the refusal that is over first where every model refuses. Rejects where
   * none can be reached, or `signal` abandons the call.
   */
  async ask(call: OutgoingCall, signal: AbortSignal): Promise<Response> {
    const cut = AbortSignal.any([signal, this.#closed.signal]);
    const failed: { readonly at: ModelAt; readonly end: Response | Error }[] = [];
    for (const at of this.#order()) {
      const end = await this.#try(call, at, cut);
      if (cut.aborted && end instanceof Error) throw end;
      if (end instanceof Response && !isModelsOwn(end.status)) {
        if (end.ok) this.#answered(at);
        await dropAll(failed);
        return end;
      }
      this.#failed(at, end);
      failed.push({ at, end });
    }
    return await this.#soonest(failed);
  }

  /** Returns the models in the order in which they are asked now. */
  #order(): readonly ModelAt[] {
    const { refused } = this.#host;
    if (this.#models.length === 1) return this.#models;
    const free = this.#models.filter((at) => !refused.isOut(at));
    return free.length > 0 ? free : this.#models.toSorted(this.#byTime).slice(0, 1);
  }

  readonly #byTime = (one: ModelAt, other: ModelAt): number =>
    this.#host.refused.until(one) - this.#host.refused.until(other);

  async #try(call: OutgoingCall, at: ModelAt, cut: AbortSignal): Promise<Response | Error> {
    const { effort, temperature } = this.#caller;
    const counted = this.underWay.begin(call.promptTokens, at.model, call.onUsed);
    const body = this.#dialect.own(call.body, { model: at.model, effort, temperature });
    try {
      // A redirect would hand the key to another server.
      const answer = await fetch(call.url(at), {
        method: "POST",
        headers: headersForProvider(call.headers, at.provider),
        body: JSON.stringify(body),
        redirect: "error",
        signal: cut,
      });
      if (answer.ok) return await this.#begun(answer, counted, cut);
      counted.free();
      return passed(answer, answer.body);
    } catch (error) {
      if (wasAsked(error)) counted.lost();
      else counted.free();
      return error instanceof Error ? error : new Error("the provider did not answer", { cause: error });
    }
  }

  /** Returns the answer, or the error that it turns out to be before its first word. */
  async #begun(answer: Response, counted: CallUnderWay, cut: AbortSignal): Promise<Response> {
    const whole = counted.pass(answer.body, cut);
    if (whole === null) return faultAnswer(NO_CONTENT, this.#dialect);
    const { fault, body } = await untilFirstWord(whole, this.#dialect, this.#host.clock);
    if (fault === null || isRequestsOwn(fault)) return passed(answer, body);
    if (fault !== NO_CONTENT) counted.free();
    await body.cancel().catch(() => undefined);
    return faultAnswer(fault, this.#dialect);
  }

  #failed(at: ModelAt, end: Response | Error): void {
    const { refused, clock, log } = this.#host;
    const isAnswer = end instanceof Response;
    const why = isAnswer ? `answered ${end.status}` : "did not answer";
    refused.refused(at, {
      why,
      retryAfterMs: isAnswer ? retryAfterOf(end.headers, clock.now()) : undefined,
    });
    log.warn({ session: this.#caller.sessionId, model: at.model, why }, "model refused or failed a call");
  }

  #answered(at: ModelAt): void {
    this.#host.refused.answered(at);
    const before = this.#present;
    if (at === before) return;
    this.#present = at;
    const isBack = this.#models.indexOf(at) < this.#models.indexOf(before);
    const [from, to] = [this.#nameOf(before), this.#nameOf(at)];
    const reason = isBack ? `${to} answers again` : `${from} ${this.#host.refused.why(before)}`;
    this.#caller.onEvent({ type: "model_changed", from, to, reason });
  }

  /** Returns the model's name, with its place where two of the session's models have the same. */
  #nameOf({ model, provider }: ModelAt): string {
    const same = this.#models.filter((one) => one.model === model);
    return same.length === 1 ? model : `${model} at ${new URL(provider.baseUrl).host}`;
  }

  async #soonest(
    failed: readonly { readonly at: ModelAt; readonly end: Response | Error }[],
  ): Promise<Response> {
    const [first, ...others] = failed.toSorted((one, other) => this.#byTime(one.at, other.at));
    await dropAll(others);
    if (first?.end instanceof Response) return first.end;
    throw first?.end ?? new Error("there is no model to ask");
  }
}

/** Returns whether another model could answer what this one refuses. */
function isModelsOwn(status: number): boolean {
  return status === 402 || status === 408 || status === 429 || status >= 500;
}

async function dropAll(failed: readonly { readonly end: Response | Error }[]): Promise<void> {
  for (const { end } of failed) if (end instanceof Response) await end.body?.cancel().catch(() => undefined);
}

/** Returns the answer for the agent. A status that cannot have a body becomes 502. */
function passed({ status, headers }: Response, body: Response["body"]): Response {
  const isPlain = status >= 200 && status <= 599 && ![204, 205, 304].includes(status);
  return new Response(body, { status: isPlain ? status : 502, headers: headersForAgent(headers) });
}

/** Returns whether a provider may have begun to answer a failed call. */
function wasAsked(error: unknown): boolean {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : null;
  return !(cause !== null && "code" in cause && NOT_ASKED.test(String(cause.code)));
}
