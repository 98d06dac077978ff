import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { Role } from "../../domain/agents/role.ts";
import { verdictText } from "../../domain/breakers/liveness.ts";
import { NO_PROGRESS } from "../../domain/breakers/progress-memory.ts";
import { contextFull, HANDOFF_ONLY, HANDOFF_REQUEST } from "../../domain/conversation/handoff.ts";
import { type Prompt, toolEndedMessage } from "../../domain/conversation/prompts.ts";
import type {
  AgentSession,
  ExchangeEnd,
  RuntimeEvent,
  ToolCall,
  ToolGateAnswer,
} from "../../domain/ports/agent-runtime.ts";
import type { ObservedEnd } from "../../domain/sessions/exchange.ts";
import { mayHandOver } from "../../domain/sessions/tool-kind.ts";
import { HANDOFF_TOOL } from "../../domain/sessions/tool-names.ts";
import { LifeWatch } from "../agents/life-watch.ts";
import { ProgressWatch } from "../breakers/progress-watch.ts";
import { agentMove } from "../kernel/advance-agent.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { callTerms } from "../kernel/models-of.ts";
import { type HandedOver, handOver, hasHandedOver, triedAnotherWay } from "./hand-over.ts";
import type { SessionObserver } from "./session-observer.ts";

/** What a guard asks for after an exchange: a message or moves. */
export type Guarded = { readonly say: Prompt } | (HandedOver & { readonly evidence: unknown });

/** Guards one session against missing signs of life, missing progress and a full context. */
export class Guards implements SessionObserver {
  readonly life: LifeWatch;
  readonly #progress: ProgressWatch;
  readonly #context: EngineContext;
  readonly #agent: AgentRecord;
  #session: AgentSession | undefined;
  #full = false;
  /** When the handoff was requested. */
  #askedAt: number | null = null;
  #messages: string[] = [];

  constructor(
    context: EngineContext,
    options: { readonly agent: AgentRecord; readonly role: Role; readonly onChange: () => void },
  ) {
    this.#context = context;
    this.#agent = options.agent;
    this.life = new LifeWatch(context, options.agent);
    this.#progress = new ProgressWatch(context, { ...options, onStuck: () => this.#interrupt() });
  }

  attach(session: AgentSession): void {
    this.#session = session;
    this.life.attach(session);
  }

  /** Before each exchange. */
  begin(): void {
    this.life.begin();
  }

  observe(event: RuntimeEvent): void {
    this.life.observe(event);
    this.#progress.observe(event);
    if (event.type === "message")
      this.#messages = [...this.#messages, this.#context.redact(event.text)].slice(-3);
    if (event.type === "context")
      this.#full = contextFull(event.currentTokens, this.#limit(event.tokenLimit));
    // Interrupts only at the next turn, so that the results of the current turn's tools are kept.
    if (event.type === "turn_started" && this.#full && this.#askedAt === null) this.#interrupt();
  }

  async flush(): Promise<void> {
    await this.#progress.flush();
  }

  /** Refuses every other tool while the handoff is written. */
  check({ toolName }: ToolCall): ToolGateAnswer {
    if (this.#askedAt === null && toolName === HANDOFF_TOOL)
      return { allow: false, reason: "No handoff is asked for: continue with the work.", endExchange: false };
    if (this.#askedAt === null || mayHandOver(toolName, this.#context.toolKind(toolName, this.#agent)))
      return { allow: true };
    return { allow: false, reason: HANDOFF_ONLY, endExchange: true };
  }

  /** Returns how the exchange ended; an end caused by the verdict is replaced by the verdict. */
  ended(end: ExchangeEnd): ObservedEnd {
    return this.life.ended(end);
  }

  /** Returns the verdict on the session's life as evidence for the next move; null without one. */
  evidence(): unknown {
    return this.life.verdict;
  }

  /**
   * Returns what follows an exchange that recorded no intent and met no limit; null when the exchange may
   * continue.
   */
  async next(agent: AgentRecord, end: ObservedEnd): Promise<Guarded | null> {
    if (end.kind !== "idle" && end.kind !== "aborted") return null;
    if (this.#askedAt !== null) return this.#handOver(agent, this.#askedAt);
    if (this.#progress.stuck !== null) return this.#otherWay(agent, this.#progress.stuck.what);
    if (this.#full) {
      this.#askedAt = this.#context.clock.now();
      return { say: { text: HANDOFF_REQUEST, told: [] } };
    }
    const { verdict } = this.life;
    if (verdict?.kind === "tool") return { say: { text: toolEndedMessage(verdictText(verdict)), told: [] } };
    return null;
  }

  async #handOver(agent: AgentRecord, since: number): Promise<Guarded> {
    const written = await hasHandedOver(this.#context, agent, since);
    return this.#handoff(agent, { cause: "context", why: "its context is nearly full", written });
  }

  /**
   * Starts one new conversation that knows only what was repeated; after a second failure escalates to a
   * person.
   */
  async #otherWay(agent: AgentRecord, repeated: string): Promise<Guarded> {
    const why = `${NO_PROGRESS}${repeated}`;
    if (!(await triedAnotherWay(this.#context, agent)))
      return this.#handoff(agent, { cause: "no_progress", why, repeated });
    const escalate = agentMove(agent, {
      type: "ESCALATE",
      at: this.#context.clock.now(),
      actor: "flotilla",
      reason: `it does not get on, also after a second beginning: ${repeated}`,
      category: "no_progress",
      question: "What should it do in another way?",
      breaker: null,
    });
    return { moves: [escalate], also: async () => undefined, evidence: this.#progress.stuck };
  }

  async #handoff(
    agent: AgentRecord,
    cause: Omit<Parameters<typeof handOver>[2], "messages">,
  ): Promise<Guarded> {
    const handed = await handOver(this.#context, agent, { ...cause, messages: this.#messages });
    return { ...handed, evidence: this.#progress.stuck };
  }

  #limit(tokenLimit: number): number {
    // A conversation must fit each of its models.
    const given = callTerms(this.#context, this.#context.useOf(this.#agent));
    return Math.min(...given.map(({ maxPromptTokens }) => maxPromptTokens ?? tokenLimit));
  }

  #interrupt(): void {
    this.#session?.interrupt().catch((error: unknown) => {
      this.#context.log.warn({ error, agent: this.#agent.name }, "session not interrupted");
    });
  }
}
