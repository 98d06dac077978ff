import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { type Allowance, allowanceOf } from "../../domain/breakers/allowance.ts";
import { type Used, usedWords } from "../../domain/breakers/limit-warning.ts";
import type { Limits } from "../../domain/breakers/limits.ts";
import type {
  AgentSession,
  ExchangeEnd,
  RuntimeEvent,
  ToolGateAnswer,
} from "../../domain/ports/agent-runtime.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { type InnerBreaker, wrapUpTurns } from "../../domain/sessions/exchange.ts";
import { mayWrapUp } from "../../domain/sessions/tool-kind.ts";
import type { RuntimeUse } from "../../domain/settings/runtime-use.ts";
import { LimitWarnings } from "../breakers/limit-warnings.ts";
import { TimeWaited } from "../breakers/time-waited.ts";
import { countTurn } from "../conversation/count-turn.ts";
import { note } from "../kernel/advance-agent.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import type { WriteQueue } from "../outbox/write-queue.ts";
import { ExchangeStop } from "./exchange-stop.ts";
import { PendingWakes } from "./pending-wakes.ts";
import type { SessionObserver } from "./session-observer.ts";
import { Spending } from "./spending.ts";

/**
 * Counts one agent's turns, tool calls and spending, and stops it at a limit. Counts start from the database
 * and are written there in order, those of calls before the call runs; `flush` waits for the writes.
 */
export class Meter implements SessionObserver {
  breaker: InnerBreaker | null = null;
  /** The limit that makes this exchange the last one. */
  wrapUp: InnerBreaker | null = null;
  readonly warnings: LimitWarnings;
  readonly inbox: PendingWakes;
  #turns: number;
  #toolCalls: number;
  /** Calls that are counted here and not yet in the database. */
  #unwritten = 0;
  #renewedAt = 0;
  #wrapUpTurns = 0;
  /** The exchange ended between two turns, because this machine is drained. */
  isCut = false;
  /** When the unanswered model call began; null otherwise. */
  idleSince: number | null = null;
  readonly #allowance: Allowance;
  readonly spending: Spending;
  readonly waited: TimeWaited;
  readonly stop = new ExchangeStop();
  readonly #context: EngineContext;
  readonly #agent: AgentRecord;
  /** The record as last read: a person may set its time to live while the agent works. */
  #lives: Pick<AgentRecord, "createdAt" | "ttlMs">;
  readonly #writes: WriteQueue;

  /** `use` is what the session is opened with. */
  constructor(
    context: EngineContext,
    options: { agent: AgentRecord; limits: Limits; use: RuntimeUse; writes: WriteQueue },
  ) {
    const { agent, limits, use } = options;
    this.#context = context;
    this.#agent = agent;
    this.#lives = agent;
    this.#writes = options.writes;
    this.inbox = new PendingWakes(context, options);
    this.waited = new TimeWaited(context.clock, (ms) => laterActive(context, agent, ms));
    this.#turns = agent.turns;
    this.#toolCalls = agent.toolCalls;
    const allowance = allowanceOf(limits, agent);
    this.#allowance = allowance;
    this.spending = new Spending(context, { agent, allowance, use });
    this.warnings = new LimitWarnings(agent.warned, {
      allowance,
      warnAt: limits.warnAt,
      log: context.log,
      agent: agent.name,
      remember: (warned) =>
        this.#write(() => context.store.transaction((tables) => note(tables, agent.id, { warned }))),
    });
  }

  /** Returns the number of turns, including the current one. */
  get turn(): number {
    return this.#turns;
  }

  /** Resets the counts of an exchange; called before each exchange of this session. */
  begin(told: readonly number[], session: Pick<AgentSession, "save">): void {
    this.breaker = null;
    this.isCut = false;
    this.idleSince = null;
    this.stop.begin();
    this.inbox.begin(told, session);
    this.#warn();
    this.warnings.checkTtl(this.#lives, this.#context.clock.now());
  }

  /** Returns the text that the model reads with the answer of the tool that has just run; null for none. */
  async remark(): Promise<string | null> {
    this.#warn();
    const { store, clock } = this.#context;
    // A failed read is logged below.
    this.#lives = (await store.records.get("agent", this.#agent.id).catch(() => undefined)) ?? this.#lives;
    this.warnings.checkTtl(this.#lives, clock.now());
    const warning = this.warnings.takeWarning();
    const news = await this.inbox.news().catch((error: unknown) => {
      this.#context.log.error({ error, agent: this.#agent.name }, "news for an agent not read");
      return null;
    });
    const told = [warning, news].filter((text) => text !== null);
    return told.length === 0 ? null : told.join("\n\n");
  }

  /** Returns the used limits as text, for the comment at the limit. */
  used(): string {
    return usedWords(this.#used(), this.#allowance);
  }

  /** Returns whether a limit leaves room for one more call to wrap up. */
  get room(): boolean {
    return this.spending.roomToWrapUp();
  }

  /** Decides on a tool call; called before each one. */
  gate(toolName: string): ToolGateAnswer {
    const kind = this.#context.toolKind(toolName, this.#agent);
    if (this.wrapUp) {
      if (mayWrapUp(toolName, kind)) return { allow: true };
      return denied(`the limit ${this.wrapUp} is reached: only a report is possible now`);
    }
    const spent = this.spending.reached();
    // A report ends the exchange without another model call.
    if (spent !== null && kind !== "report") {
      this.breaker ??= spent;
      return denied(`the limit ${spent} is reached`);
    }
    if (this.#toolCalls >= this.#allowance.toolCalls) {
      this.breaker ??= "max_tool_calls";
      return denied(`the limit max_tool_calls (${this.#allowance.toolCalls}) is reached`);
    }
    this.#toolCalls += 1;
    this.#unwritten += 1;
    return { allow: true };
  }

  /** Writes the calls that the gate has counted, in the transaction that lets one go or refuses one. */
  async writeCalls(tables: Pick<Tables, "records">): Promise<void> {
    const counted = this.#unwritten;
    if (counted === 0) return;
    this.#unwritten = 0;
    await tables.records.count(this.#agent.id, "toolCalls", counted);
  }

  /**
   * Returns the limit that forbids the next model call, or null. Called before each model call, independently
   * of the runtime's turn events. A call to wrap up passes while `room` allows it.
   */
  mayCallModel(underWay: number): string | null {
    if (this.#isCut()) return "this machine is being drained";
    const spent = this.spending.reached(underWay);
    const limit = spent !== null && this.wrapUp !== null && this.room ? null : spent;
    const reached = limit ?? (this.spending.begin(this.#context.clock.now()) ? null : "repository_per_day");
    if (reached === null) return null;
    this.breaker ??= reached;
    return `the limit ${reached} is reached`;
  }

  /**
   * Counts the turn that begins. Returns true when it is one too many, or the exchange ends here: it is then not counted
   * and must not continue.
   */
  turnStarts(): boolean {
    this.#context.crashPoint("turn:message");
    if (this.stop.isDue || this.#isCut()) return true;
    this.inbox.turnStarts();
    if (this.wrapUp !== null) {
      this.#wrapUpTurns += 1;
      if (this.#wrapUpTurns > wrapUpTurns(this.wrapUp)) return true;
      if (this.wrapUp === "max_tool_calls" && this.spending.reached() !== null) return true;
      if (!this.#context.providerBreaker.mayCallModel(this.#agent)) return true;
      return !this.spending.begin(this.#context.clock.now());
    }
    const limit = this.#turnLimit();
    if (limit !== null) {
      this.breaker ??= limit;
      return true;
    }
    this.#turns += 1;
    this.idleSince = this.#context.clock.now();
    this.#write(() => countTurn(this.#context, this.#agent));
    return false;
  }

  #isCut(): boolean {
    this.isCut ||= this.#context.nodes.isDraining;
    return this.isCut;
  }

  /**
   * Records that the provider refused or failed a call: all agents pause, and a turn without an answer is not
   * counted.
   */
  async unanswered(end: Extract<ExchangeEnd, { kind: "model_error" }>): Promise<void> {
    if (end.consequence !== "park") return;
    await this.#context.providerBreaker.failed(this.#agent, end);
    if (this.idleSince === null) return;
    this.#turns -= 1;
    await this.#context.store.records.count(this.#agent.id, "turns", -1);
  }

  /**
   * Returns the limit that forbids the turn that begins, or reserves its model call in the repository's day
   * and returns null.
   */
  #turnLimit(): InnerBreaker | null {
    if (!this.#context.providerBreaker.mayCallModel(this.#agent)) return "provider_limit";
    const spent = this.spending.reached();
    if (spent !== null) return spent;
    if (this.#turns >= this.#allowance.turns) return "max_turns";
    return this.spending.begin(this.#context.clock.now()) ? null : "repository_per_day";
  }

  /** Records usage and the sign of life that renews the lease. */
  observe(event: RuntimeEvent): void {
    const { store, clock, settings } = this.#context;
    const { id: agentId, token } = this.#agent;
    const at = clock.now();
    this.inbox.observe(event);
    if (event.type === "turn_ended") this.spending.end();
    if (event.type === "model_changed") this.spending.modelChanged(event.to);
    if (event.type === "usage") {
      this.#write(this.spending.add(event, at));
      if (event.answered) {
        this.idleSince = null;
        this.#write(() => this.#context.providerBreaker.answered(this.#agent, event.model));
      }
    }
    this.#warn();
    if (at - this.#renewedAt >= 1000) {
      this.#renewedAt = at;
      this.#write(() => store.records.renewLease(agentId, token, at, at + settings.leases.agentMs));
    }
  }

  #warn(): void {
    this.warnings.check(this.#used());
  }

  #used(): Used {
    const now = this.#context.clock.now();
    const { tokens, costMicroUsd } = this.spending;
    return {
      turns: this.#turns,
      toolCalls: this.#toolCalls,
      tokens,
      costMicroUsd,
      wakes: this.#agent.wakes,
      activeMs: this.#agent.activeMs + now - (this.#agent.activeSince ?? now) - this.waited.ms,
    };
  }

  /** Waits until every count is in the database. */
  async flush(): Promise<void> {
    this.spending.end();
    this.#write(() => this.writeCalls(this.#context.store));
    await this.#writes.flush();
  }

  #write(work: () => Promise<unknown>): void {
    this.#writes.add(work);
  }
}

function denied(reason: string): ToolGateAnswer {
  return { allow: false, reason, endExchange: true };
}

/** Moves the start of the agent's active time by the time that its period waited, which does not count. */
async function laterActive({ store }: EngineContext, { id, token }: AgentRecord, ms: number): Promise<void> {
  await store.transaction(async (tables) => {
    const agent = await tables.records.get("agent", id);
    if (agent?.state === "ACTIVE" && agent.token === token && agent.activeSince !== null)
      await note(tables, id, { activeSince: agent.activeSince + ms });
  });
}
