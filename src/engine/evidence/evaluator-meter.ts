import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { Limits } from "../../domain/breakers/limits.ts";
import type { RuntimeEvent, ToolGateAnswer } from "../../domain/ports/agent-runtime.ts";
import type { InnerBreaker } from "../../domain/sessions/exchange.ts";
import { EVALUATION_TOOL } from "../../domain/sessions/tool-names.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import type { WriteQueue } from "../outbox/write-queue.ts";
import type { Spending } from "../sessions/spending.ts";

/** Why an evaluator was stopped: the agent's spending limit, or one of the evaluator's own limits. */
export type EvaluatorStop =
  | { readonly of: "agent"; readonly limit: InnerBreaker }
  | { readonly of: "evaluator"; readonly words: string };

/**
 * Counts one conversation with an evaluator. The agent whose claim it judges pays for the model calls, under
 * the same limits; turns and tool calls are the evaluator's own.
 */
export class EvaluatorMeter {
  stopped: EvaluatorStop | null = null;
  /** When the unanswered model call began; null otherwise. */
  idleSince: number | null = null;
  #turns = 0;
  #toolCalls = 0;
  readonly #context: EngineContext;
  readonly #payer: {
    readonly asks: AgentRecord;
    readonly spending: Spending;
    readonly writes: WriteQueue;
    readonly limits: Limits;
  };

  /** `asks` is the payer with the evaluator's role and runtime; `limits` are the evaluator's. */
  constructor(
    context: EngineContext,
    payer: { asks: AgentRecord; spending: Spending; writes: WriteQueue; limits: Limits },
  ) {
    this.#context = context;
    this.#payer = payer;
  }

  /** Counts a turn and reserves its model call; returns false when the turn is one too many. */
  mayGoOn(): boolean {
    this.stopped ??= this.#stop();
    if (this.stopped !== null) return false;
    this.#turns += 1;
    this.idleSince = this.#context.clock.now();
    return true;
  }

  /** Returns the limit that forbids the next model call, or null. Called before each model call. */
  mayCallModel(underWay: number): string | null {
    const { spending } = this.#payer;
    const spent = spending.reached(underWay);
    if (spent !== null) return `the limit ${spent} is reached`;
    return spending.begin(this.#context.clock.now()) ? null : "the limit repository_per_day is reached";
  }

  /** Decides on a tool call. Called before every tool call. */
  gate(toolName: string): ToolGateAnswer {
    // The evaluation ends the exchange without another model call.
    if (toolName === EVALUATION_TOOL) return { allow: true };
    const { spending, limits } = this.#payer;
    const spent = spending.reached();
    if (spent !== null) this.stopped ??= { of: "agent", limit: spent };
    else if (this.#toolCalls >= limits.maxToolCalls)
      this.stopped ??= {
        of: "evaluator",
        words: `it made ${this.#toolCalls} tool calls and gave no evaluation`,
      };
    if (this.stopped !== null) return { allow: false, reason: "A limit is reached.", endExchange: true };
    this.#toolCalls += 1;
    return { allow: true };
  }

  observe(event: RuntimeEvent): void {
    const { asks, spending, writes } = this.#payer;
    if (event.type === "model_changed") spending.modelChanged(event.to);
    if (event.type === "turn_ended") spending.end();
    if (event.type !== "usage") return;
    writes.add(spending.add(event, this.#context.clock.now()));
    if (!event.answered) return;
    this.idleSince = null;
    writes.add(() => this.#context.providerBreaker.answered(asks, event.model));
  }

  /** Releases the reservation once the exchange has ended. */
  end(): void {
    this.#payer.spending.end();
  }

  #stop(): EvaluatorStop | null {
    const { asks, spending, limits } = this.#payer;
    if (!this.#context.providerBreaker.mayCallModel(asks)) return ofAgent("provider_limit");
    const spent = spending.reached();
    if (spent !== null) return ofAgent(spent);
    if (this.#turns >= limits.maxTurns)
      return { of: "evaluator", words: `it took ${this.#turns} turns and gave no evaluation` };
    return spending.begin(this.#context.clock.now()) ? null : ofAgent("repository_per_day");
  }
}

function ofAgent(limit: InnerBreaker): EvaluatorStop {
  return { of: "agent", limit };
}
