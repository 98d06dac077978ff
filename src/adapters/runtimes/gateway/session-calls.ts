import { messageOf } from "../../../domain/kernel/errors.ts";
import type { ModelAt, RuntimeEvent, SessionSpec } from "../../../domain/ports/agent-runtime.ts";
import { type AskedCall, type Refusal, readBody } from "./asked-call.ts";
import type { AskedTurn, CallPath, Dialect } from "./dialects/dialect.ts";
import { dialectOf } from "./dialects/dialect-of.ts";
import { ExchangeRefusal, type RefusedAnswer } from "./exchange-refusal.ts";
import { answerOf, beginningOf, HostAnswers } from "./host-answers.ts";
import { MainLine } from "./main-line.ts";
import { type CallsHost, ModelCalls } from "./model-calls.ts";
import type { ModelFailure } from "./model-failure.ts";
import { keysOf, type Remarks } from "./remarks.ts";
import type { CallEnd, SessionGateway } from "./session-gateway.ts";
import { tellAnswer } from "./told-answer.ts";
import { ToldCalls } from "./told-calls.ts";

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
  readonly #host: CallsHost & { readonly takesBack: boolean };
  readonly #dialect: Dialect;
  readonly #answers: HostAnswers;
  readonly #calls: ModelCalls;
  readonly #told: ToldCalls;
  readonly #line: MainLine;
  readonly #remarks: Remarks;
  readonly #listeners = new Set<() => void>();
  readonly #refusal = new ExchangeRefusal(() => this.#refusedForGood());
  /** What became of the last request of the exchange before. */
  #before: { readonly answer: RefusedAnswer | null; readonly failure: ModelFailure | null } | null = null;
  #ended = false;
  #lastMessage = "";
  /** Aborted when the host ends the turn of an agent that takes back a cancelled one. */
  #over = new AbortController();
  #turns = 0;
  /** Whether the newest turn is told and has not ended. */
  #inTurn = false;
  #answering = 0;

  constructor(
    spec: GatewaySpec,
    host: CallsHost & {
      readonly remarks: Remarks;
      readonly toolName: (raw: string) => string;
      readonly takesBack: boolean;
    },
  ) {
    this.#spec = spec;
    this.#host = host;
    this.#remarks = host.remarks;
    this.#dialect = dialectOf(spec.provider);
    this.#answers = new HostAnswers(this.#dialect, spec.model);
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
      return this.#answers.error(UNREACHED);
    }
  }

  begin(message: string): void {
    this.#told.forget();
    this.#endTurn();
    this.#line.begin(message);
    this.#before = { answer: this.#refusal.last, failure: this.#refusal.failure };
    this.#ended = false;
    this.#over = new AbortController();
    this.#refusal.begin();
    this.#lastMessage = "";
  }

  endTurn(): boolean {
    this.#ended = true;
    if (!this.#host.takesBack || this.#answering === 0) return false;
    this.#over.abort();
    return true;
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

  answered(): ReturnType<SessionGateway["answered"]> {
    return this.#line.answered;
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
    if (path === null || request.method !== "POST") return this.#answers.noCall(pathname, bytes.byteLength);
    const call = readBody(bytes, this.#dialect);
    if ("code" in call) return this.#refused(call);
    const turn = this.#dialect.read(call.body);
    if (this.#spec.tools.length > 0 && this.#line.lacksOurs(turn))
      return this.#withoutTools(path.streams ?? turn.streams);
    const { headers, signal } = request;
    const asked = { path, call, turn, headers, signal, streams: path.streams ?? turn.streams };
    const waits = { answering: this.#answering > 0, owed: this.#told.owed() };
    return this.#line.isMain(turn, waits) ? this.#main(asked) : this.#side(asked);
  }

  async #side(asked: Asked): Promise<Response> {
    // A summary of the conversation has results that the main line may not send any more.
    this.#told.results(asked.turn.results, Number.POSITIVE_INFINITY);
    if (this.#refusal.last !== null) return answerOf(this.#refusal.last);
    if (this.#ended)
      return this.#answers.error({ status: 403, code: "turn_ended", message: "the host has ended the turn" });
    const refusal = this.#calls.limit();
    return refusal === null ? this.#ask(asked) : this.#refused(refusal);
  }

  async #main(asked: Asked): Promise<Response> {
    const { turn, streams } = asked;
    if (this.#line.isLate(turn)) return this.#late(streams);
    const isAgain = this.#inTurn && this.#refusal.failure !== null;
    if (!this.#ended && this.#refusal.last !== null) return this.#lastRefusal(this.#refusal.last, streams);
    const fresh = this.#told.results(turn.results, this.#line.results);
    this.#line.take(turn, [...fresh.keys()]);
    if (!this.#ended) await this.#remark(turn, fresh);
    if (!isAgain) this.#endTurn();
    if (!this.#ended && !isAgain) this.#beginTurn();
    if (this.#ended) {
      this.#endTurn();
      return this.#answers.ending(streams);
    }
    const limit = this.#calls.limit();
    if (limit !== null) return this.#forbidden(limit, streams);
    this.#answering += 1;
    const ours = { ...asked, signal: AbortSignal.any([asked.signal, this.#over.signal]) };
    try {
      return await this.#answered(await this.#ask(ours, (tokens) => this.#context(tokens)), ours);
    } catch (error) {
      this.#answering -= 1;
      return this.#unreached(error, asked);
    }
  }

  /** The refusal that ends the turn, in the form that the agent bears. */
  #lastRefusal(refused: RefusedAnswer, streams: boolean): Response {
    return this.#host.takesBack ? this.#answers.ending(streams) : answerOf(refused);
  }

  #ask({ path, call, headers, signal }: Asked, onUsed?: (inputTokens: number) => void): Promise<Response> {
    return this.#calls.ask(
      {
        body: call.body,
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

  /** Answers a question of the exchange before as it was answered then. */
  #late(streams: boolean): Response {
    const { answer = null, failure = null } = this.#before ?? {};
    // Where nothing else comes, it is what the exchange came to.
    this.#refusal.failure = failure;
    return answer === null ? this.#answers.ending(streams) : this.#lastRefusal(answer, streams);
  }

  #isTerminal(toolName: string): boolean {
    return this.#spec.tools.some(({ name, terminal }) => terminal && name === toolName);
  }

  async #answered(answer: Response, { signal, streams }: Asked): Promise<Response> {
    if (!answer.ok) {
      const refused = { status: answer.status, headers: answer.headers, body: await beginningOf(answer) };
      this.#answering -= 1;
      this.#refusal.refused(refused, this.#host.clock.now());
      return this.#refusal.last === null ? answerOf(refused) : this.#lastRefusal(refused, streams);
    }
    return tellAnswer(answer, this.#dialect, {
      instead: () => (this.#over.signal.aborted ? this.#answers.ending(streams).body : null),
      part: (part) => this.#tell(part.type === "text" ? { type: "message_delta", text: part.text } : SIGN),
      end: (parts, how) => {
        this.#answering -= 1;
        const fault = parts.fault();
        if (how !== "whole" || fault !== null) {
          // What the agent gave up is no fault of the provider's.
          if (how !== "given_up" && !signal.aborted)
            this.#refusal.brokenOff(fault, this.#answers.refused(UNREACHED));
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

  #unreached(error: unknown, { signal, streams }: Asked): Response {
    const answer = this.#answers.refused(UNREACHED);
    if (signal.aborted || this.#ended) this.#endTurn();
    else this.#refusal.unreached(`the model provider cannot be reached: ${reasonOf(error)}`, answer);
    return this.#ended || this.#refusal.last !== null ? this.#lastRefusal(answer, streams) : answerOf(answer);
  }

  #forbidden(limit: Refusal, streams: boolean): Response {
    if (limit.code !== "limit_reached") {
      this.#endTurn();
      return this.#refused(limit);
    }
    this.#calls.refused(limit);
    const answer = this.#answers.refused(limit);
    this.#refusal.forbidden(limit.message, answer);
    return this.#lastRefusal(answer, streams);
  }

  /** Its work could not be told, and it could not report: it is started again. */
  #withoutTools(streams: boolean): Response {
    if (this.#refusal.last !== null) return this.#lastRefusal(this.#refusal.last, streams);
    const answer = this.#answers.refused(NO_TOOLS);
    this.#refusal.unusable(NO_TOOLS.message, answer);
    return this.#lastRefusal(answer, streams);
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
    return this.#answers.error(refusal);
  }
}

const UNREACHED = { status: 502, code: "no_answer", message: "the model provider did not answer" };
const NO_TOOLS = {
  status: 403,
  code: "no_tools",
  message: "the agent offers its model none of Flotilla's tools",
};
const SIGN = { type: "sign", of: "model" } as const;

/** Returns the reason that fetch hides in the error's cause. */
function reasonOf(error: unknown): string {
  return error instanceof Error && error.cause instanceof Error ? messageOf(error.cause) : messageOf(error);
}
