import type { InnerBreaker } from "../core/exchange.ts";
import type { Limits } from "../core/limits.ts";
import type { AgentRecord } from "../core/machines/agent-record.ts";
import type { RuntimeEvent, ToolGateAnswer } from "../core/ports/agent-runtime.ts";
import type { EngineContext } from "./context.ts";
import { countTurn } from "./count-turn.ts";
import { LimitWarnings } from "./limit-warnings.ts";
import type { SessionObserver } from "./observers.ts";
import { WRAP_UP_TOOLS } from "./reading-tools.ts";
import type { WriteQueue } from "./write-queue.ts";

/**
 * Counts one agent's turns and tool calls and says stop at the limit. The count in memory begins with the one in the
 * database and every unit is written there at once, in order; `flush` waits until all are.
 */
export class Meter implements SessionObserver {
  breaker: InnerBreaker | null = null;
  wrapUp = false;
  readonly warnings: LimitWarnings;
  /** Wakes that the message under way tells; they count as delivered once the model has begun to answer it. */
  #told: readonly number[] = [];
  #turns: number;
  #toolCalls: number;
  #touchedAt = 0;
  readonly #turnsAllowed: number;
  readonly #callsAllowed: number;
  readonly #context: EngineContext;
  readonly #agent: AgentRecord;
  readonly #writes: WriteQueue;

  constructor(context: EngineContext, options: { agent: AgentRecord; limits: Limits; writes: WriteQueue }) {
    const { agent, limits } = options;
    this.#context = context;
    this.#agent = agent;
    this.#writes = options.writes;
    this.#turns = agent.turns;
    this.#toolCalls = agent.toolCalls;
    this.#turnsAllowed = limits.maxTurns + agent.extraTurns;
    this.#callsAllowed = limits.maxToolCalls + agent.extraToolCalls;
    this.warnings = new LimitWarnings({ limits, log: context.log, agent: agent.name });
  }

  /** Turns so far, the one under way included. */
  get turn(): number {
    return this.#turns;
  }

  /** Before each exchange. */
  begin(told: readonly number[]): void {
    this.breaker = null;
    this.#told = told;
  }

  /** In words, for the comment at the limit. */
  used(): string {
    return `${this.#turns} of ${this.#turnsAllowed} turns and ${this.#toolCalls} of ${this.#callsAllowed} tool calls are used`;
  }

  /** Asked before every tool call. */
  gate(toolName: string): ToolGateAnswer {
    if (this.wrapUp) {
      if (WRAP_UP_TOOLS.has(toolName)) return { allow: true };
      return {
        allow: false,
        reason: "the limit max_tool_calls is reached: only a report is possible now",
        endExchange: true,
      };
    }
    if (this.#toolCalls >= this.#callsAllowed) {
      this.breaker ??= "max_tool_calls";
      return {
        allow: false,
        reason: `the limit max_tool_calls (${this.#callsAllowed}) is reached`,
        endExchange: true,
      };
    }
    this.#toolCalls += 1;
    this.#write(() => this.#context.store.records.count(this.#agent.id, "toolCalls", 1));
    return { allow: true };
  }

  /** True when the turn that begins is one too many: it is not counted and must not go on. */
  turnStarts(): boolean {
    this.#context.crashPoint("turn:message");
    this.#delivered();
    if (this.wrapUp) return false;
    if (this.#turns >= this.#turnsAllowed) {
      this.breaker ??= "max_turns";
      return true;
    }
    this.#turns += 1;
    this.#write(() => countTurn(this.#context, this.#agent));
    return false;
  }

  /** Usage and the sign of life that renews the lease. */
  observe(event: RuntimeEvent): void {
    this.#warn();
    const { store, clock, settings } = this.#context;
    const { id: agentId, token } = this.#agent;
    const at = clock.now();
    if (event.type === "usage") {
      const { model, inputTokens, outputTokens, cachedTokens } = event;
      this.#write(() => store.usage.add({ agentId, model, inputTokens, outputTokens, cachedTokens, at }));
      this.#write(() => store.records.count(agentId, "tokens", inputTokens + outputTokens));
    }
    if (at - this.#touchedAt >= 1000) {
      this.#touchedAt = at;
      this.#write(() => store.records.touch(agentId, token, at, at + settings.leases.agentMs));
    }
  }

  #warn(): void {
    const now = this.#context.clock.now();
    this.warnings.look({
      turns: this.#turns,
      turnsAllowed: this.#turnsAllowed,
      toolCalls: this.#toolCalls,
      toolCallsAllowed: this.#callsAllowed,
      activeMs: this.#agent.activeMs + now - (this.#agent.activeSince ?? now),
    });
  }

  #delivered(): void {
    const told = this.#told;
    this.#told = [];
    if (told.length > 0)
      this.#write(() => this.#context.store.wakes.settle(told, "delivered", this.#context.clock.now()));
  }

  /** Waits until everything counted so far is in the database. */
  async flush(): Promise<void> {
    await this.#writes.flush();
  }

  #write(work: () => Promise<unknown>): void {
    this.#writes.add(work);
  }
}
