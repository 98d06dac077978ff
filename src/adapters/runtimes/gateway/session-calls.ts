import { messageOf } from "../../../domain/kernel/errors.ts";
import type { ModelAt, RuntimeEvent, SessionSpec } from "../../../domain/ports/agent-runtime.ts";
import { type AskedCall, type Refusal, readBody } from "./asked-call.ts";
import type { AskedTurn, CallPath, Dialect } from "./dialects/dialect.ts";
import { dialectOf } from "./dialects/dialect-of.ts";
import { ExchangeRefusal, type RefusedAnswer } from "./exchange-refusal.ts";
import { MainLine } from "./main-line.ts";
import { type CallsHost, ModelCalls } from "./model-calls.ts";
import { keysOf, type Remarks } from "./remarks.ts";
import { fetchesElsewhere } from "./remote-content.ts";
import type { CallEnd, SessionGateway } from "./session-gateway.ts";
import { tokensOf } from "./token-estimate.ts";
import { tellAnswer } from "./told-answer.ts";
import { ToldCalls } from "./told-calls.ts";

/** What the model says, for agents and for itself later, where the host ends a turn. */
const ENDING = "The turn ends here.";
/** Characters kept of a refusal. */
const MOST_OF_REFUSAL = 64 * 1024;

export type GatewaySpec = Pick<
  SessionSpec,
  | "sessionId"
  | "model"
  | "otherModels"
  | "effort"
  | "temperature"
  | "tools"
  | "mayCallModel"
  | "remark"
  | "onEvent"
> & { readonly provider: ModelAt["provider"] };

/** A request of the agent that is a model call. */
interface Asked {
  readonly path: CallPath;
  readonly streams: boolean;
  readonly call: AskedCall;
  readonly turn: AskedTurn;
  readonly headers: Headers;
  readonly signal: AbortSignal;
}

/** The model calls of one session of an agent that is a program of its own. */
export class SessionCalls implements SessionGateway {
  readonly #spec: GatewaySpec;
  readonly #host: CallsHost;
  readonly #dialect: Dialect;
  readonly #calls: ModelCalls;
  readonly #told: ToldCalls;
  readonly #line: MainLine;
  readonly #remarks: Remarks;
  readonly #listeners = new Set<() => void>();
  readonly #refusal = new ExchangeRefusal(() => this.#refusedForGood());
  #ended = false;
  #lastMessage = "";
  #turns = 0;
  /** Whether the newest turn is told and has not ended. */
  #inTurn = false;
  #answering = 0;

  constructor(
    spec: GatewaySpec,
    host: CallsHost & { readonly remarks: Remarks; readonly toolName: (raw: string) => string },
  ) {
    this.#spec = spec;
    this.#host = host;
    this.#remarks = host.remarks;
    this.#dialect = dialectOf(spec.provider);
    this.#calls = new ModelCalls(spec, host);
    this.#told = new ToldCalls(spec, host.toolName);
    const ours = new Set(spec.tools.map(({ name }) => name));
    this.#line = new MainLine((raw) => ours.has(host.toolName(raw)));
  }

  async handle(request: Request): Promise<Response> {
    try {
      return await this.#handle(request);
    } catch (error) {
      const detail = messageOf(error);
      this.#host.log.warn({ session: this.#spec.sessionId, detail }, "agent's model call failed");
      return this.#error({ status: 502, code: "no_answer", message: "the model provider did not answer" });
    }
  }

  begin(): void {
    this.#told.forget();
    this.#endTurn();
    this.#ended = false;
    this.#refusal.begin(this.#host.clock.now());
    this.#lastMessage = "";
  }

  endTurn(): void {
    this.#ended = true;
  }

  failure(): ReturnType<SessionGateway["failure"]> {
    return this.#refusal.failure;
  }

  onRefused(listener: () => void): void {
    this.#listeners.add(listener);
  }

  calls(): ReturnType<SessionGateway["calls"]> {
    return this.#told.open();
  }

  told(callId: string, end: CallEnd): void {
    this.#told.ended(callId, end);
    if (this.#answering === 0 && this.#told.open().length === 0) this.#endTurn();
  }

  lastMessage(): string {
    return this.#lastMessage;
  }

  written(): Promise<void> {
    return this.#remarks.written();
  }

  close(): Promise<void> {
    this.#ended = true;
    this.#calls.close();
    return this.#remarks.written();
  }

  async #handle(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const path = this.#dialect.call(`${pathname}${search}`);
    const bytes = await request.arrayBuffer();
    if (path === null || request.method !== "POST") return this.#noCall(pathname, bytes.byteLength);
    const call = readBody(bytes);
    if ("code" in call) return this.#refused(call);
    const turn = this.#dialect.read(call.body);
    if (fetchesElsewhere(turn.messages))
      return this.#refused({
        status: 403,
        code: "remote_content",
        message: "pictures and files go to the model by their content, not by an address",
      });
    const { headers, signal } = request;
    const asked = { path, call, turn, headers, signal, streams: path.streams ?? turn.streams };
    const waits = { answering: this.#answering > 0, owed: this.#told.owed() };
    return this.#line.isMain(turn, waits) ? this.#main(asked) : this.#side(asked);
  }

  /** Counts of tokens are asked for free; nothing else but calls is answered here. */
  #noCall(pathname: string, bytes: number): Response {
    const tokens = tokensOf(bytes);
    if (/[/:]count_?tokens$/i.test(pathname))
      return Response.json({ input_tokens: tokens, totalTokens: tokens });
    return this.#error({
      status: 404,
      code: "not_a_model_call",
      message: "only model calls go out from here",
    });
  }

  async #side(asked: Asked): Promise<Response> {
    // A summary of the conversation has results that the main line may not send any more.
    this.#told.results(asked.turn.results, Number.POSITIVE_INFINITY);
    if (this.#refusal.last !== null) return answerOf(this.#refusal.last);
    if (this.#ended)
      return this.#error({ status: 403, code: "turn_ended", message: "the host has ended the turn" });
    const refusal = this.#calls.limit();
    return refusal === null ? this.#ask(asked) : this.#refused(refusal);
  }

  async #main(asked: Asked): Promise<Response> {
    const { turn, streams } = asked;
    const late = this.#refusal.late(this.#line.isRepeated(turn), this.#host.clock.now());
    if (late !== null) return answerOf(late);
    const isAgain = this.#inTurn && this.#refusal.failure !== null;
    if (!this.#ended && this.#refusal.last !== null) return answerOf(this.#refusal.last);
    const fresh = this.#told.results(turn.results, this.#line.results);
    this.#line.take(turn);
    if (!this.#ended) await this.#remark(turn, fresh);
    if (!isAgain) this.#endTurn();
    if (!this.#ended && !isAgain) this.#beginTurn();
    if (this.#ended) {
      this.#endTurn();
      return this.#ending(streams);
    }
    const limit = this.#calls.limit();
    if (limit !== null) return this.#forbidden(limit);
    this.#answering += 1;
    try {
      return await this.#answered(await this.#ask(asked, (tokens) => this.#context(tokens)));
    } catch (error) {
      this.#answering -= 1;
      return this.#unreached(error, asked.signal);
    }
  }

  #ask({ path, call, headers, signal }: Asked, onUsed?: (inputTokens: number) => void): Promise<Response> {
    return this.#calls.ask(
      {
        body: this.#dialect.plain(call.body),
        promptTokens: call.promptTokens,
        headers,
        url: (at) => this.#dialect.url(at, path),
        ...(onUsed === undefined ? {} : { onUsed }),
      },
      signal,
    );
  }

  /** Adds what the model is to read with the results of its tools: new remarks, and those of earlier requests. */
  async #remark({ results }: AskedTurn, fresh: ReturnType<ToldCalls["results"]>): Promise<void> {
    const keys = keysOf(results);
    for (const [place, { name, end }] of fresh) {
      const result = results[place];
      const text = end.denied
        ? result?.text.includes(end.output) === true
          ? null
          : end.output
        : end.ok && this.#isTerminal(name)
          ? null
          : await this.#spec.remark();
      if (text !== null) this.#remarks.add(keys[place] ?? "", text);
    }
    for (const [place, result] of results.entries()) {
      const text = this.#remarks.of(keys[place] ?? "");
      if (text !== undefined) result.append(`\n\n${text}`);
    }
  }

  #isTerminal(toolName: string): boolean {
    return this.#spec.tools.some(({ name, terminal }) => terminal && name === toolName);
  }

  async #answered(answer: Response): Promise<Response> {
    if (!answer.ok) {
      const refused = { status: answer.status, headers: answer.headers, body: await beginningOf(answer) };
      this.#answering -= 1;
      this.#refusal.refused(refused, this.#host.clock.now());
      return answerOf(refused);
    }
    return tellAnswer(answer, this.#dialect, {
      part: (part) => this.#tell(part.type === "text" ? { type: "message_delta", text: part.text } : SIGN),
      end: (parts, whole) => {
        this.#answering -= 1;
        const fault = parts.fault();
        if (!whole || fault !== null) {
          this.#refusal.brokenOff(fault);
          this.#endTurn();
          return;
        }
        this.#refusal.answered();
        const text = parts.text();
        if (text !== "") {
          this.#lastMessage = text;
          this.#tell({ type: "message", text });
        }
        this.#told.made(parts.calls());
        if (this.#told.open().length === 0) this.#endTurn();
      },
    });
  }

  #unreached(error: unknown, signal: AbortSignal): Response {
    const response = { status: 502, code: "no_answer", message: "the model provider did not answer" };
    const body = JSON.stringify(this.#dialect.error(response));
    const answer = { status: 502, headers: new Headers(), body };
    if (signal.aborted || this.#ended) this.#endTurn();
    else this.#refusal.unreached(`the model provider cannot be reached: ${reasonOf(error)}`, answer);
    return answerOf(answer);
  }

  #forbidden(limit: Refusal): Response {
    if (limit.code !== "limit_reached") {
      this.#endTurn();
      return this.#refused(limit);
    }
    this.#calls.refused(limit);
    const body = JSON.stringify(this.#dialect.error(limit));
    const answer = { status: limit.status, headers: new Headers(), body };
    this.#refusal.forbidden(limit.message, answer);
    return answerOf(answer);
  }

  #refusedForGood(): void {
    this.#endTurn();
    for (const listener of this.#listeners) listener();
  }

  #context(currentTokens: number): void {
    const tokenLimit = this.#spec.provider.maxPromptTokens;
    if (tokenLimit !== undefined) this.#tell({ type: "context", currentTokens, tokenLimit });
  }

  #beginTurn(): void {
    this.#turns += 1;
    this.#inTurn = true;
    this.#tell({ type: "turn_started", turnId: String(this.#turns) });
  }

  #endTurn(): void {
    if (!this.#inTurn) return;
    this.#inTurn = false;
    this.#tell({ type: "turn_ended", turnId: String(this.#turns) });
  }

  #tell(event: RuntimeEvent): void {
    this.#spec.onEvent(event);
  }

  #refused(refusal: Refusal): Response {
    this.#calls.refused(refusal);
    return this.#error(refusal);
  }

  #error(refusal: { readonly status: number; readonly code: string; readonly message: string }): Response {
    const { status } = refusal;
    const headers = status === 429 ? { "retry-after": "1" } : {};
    return Response.json(this.#dialect.error(refusal), { status, headers });
  }

  #ending(streams: boolean): Response {
    const { contentType, body } = this.#dialect.ending(ENDING, { model: this.#spec.model, streams });
    return new Response(body, { headers: { "content-type": contentType } });
  }
}

const SIGN = { type: "sign", of: "model" } as const;

function answerOf({ status, headers, body }: RefusedAnswer): Response {
  return new Response(body, { status, headers });
}

async function beginningOf(answer: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of answer.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MOST_OF_REFUSAL) break;
  }
  return text.slice(0, MOST_OF_REFUSAL);
}

/** Returns the reason that fetch hides in the error's cause. */
function reasonOf(error: unknown): string {
  return error instanceof Error && error.cause instanceof Error ? messageOf(error.cause) : messageOf(error);
}
