import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { Role } from "../../domain/agents/role.ts";
import { allowanceOf } from "../../domain/breakers/allowance.ts";
import { limitsFor } from "../../domain/breakers/limits.ts";
import {
  NUDGE,
  type Prompt,
  refusedMessage,
  wakesMessage,
  wrapUpMessage,
} from "../../domain/conversation/prompts.ts";
import type { AgentSession } from "../../domain/ports/agent-runtime.ts";
import { type AfterExchange, afterExchange, type ObservedEnd } from "../../domain/sessions/exchange.ts";
import { explained } from "../../domain/sessions/refused-temperature.ts";
import { afterError } from "../agents/after-error.ts";
import { dropBareWakes } from "../agents/drop-bare-wakes.ts";
import { type CheckedIntent, checkBlockReport } from "../blockers/check-block-report.ts";
import { keyVariableOf } from "../breakers/asked-models.ts";
import { evaluate, type Judging } from "../evidence/evaluate.ts";
import { WorktreeSetup } from "../evidence/worktree-setup.ts";
import { advanceHolder, agentMove, note } from "../kernel/advance-agent.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { addPictures } from "../pictures/add-pictures.ts";
import { recordPictures } from "../pictures/record-pictures.ts";
import { sleepForApproval } from "../questions/ask-person.ts";
import { applyingIntent } from "../questions/asked.ts";
import type { AgentServices } from "../services/agent-services.ts";
import { opened, restsDuring } from "./conversation.ts";
import type { ConversationKeeper } from "./conversation-keeper.ts";
import type { Guarded, Guards } from "./guards.ts";
import type { Meter } from "./meter.ts";
import { openingMessage } from "./opening-message.ts";
import type { SessionObserver } from "./session-observer.ts";
import type { Observed } from "./session-record.ts";
import type { WorkSaver } from "./work-saver.ts";

/** Puts an agent to rest on a machine that is drained, so that it continues on another one. Never rejects. */
export type Rest = (agent: AgentRecord) => Promise<void>;

/** Called when a period is over but its outcome could not be written, for example because the database was away. */
export type Unwritten = (agentId: number, token: number) => void;

/**
 * Drives one awake period of one agent: sends a message, waits for the end of the exchange, applies the
 * domain's decision, and continues while the agent is ACTIVE under this token. Writes everything to the
 * database before acting on it.
 */
export class Driver {
  readonly agentId: number;
  readonly token: number;
  /** Resolves when the period is over; never rejects. */
  readonly done: Promise<void>;
  readonly #context: EngineContext;
  readonly #role: Role;
  readonly #session: AgentSession;
  readonly #meter: Meter;
  readonly #observers: SessionObserver;
  readonly #guards: Guards;
  readonly #cut = new AbortController();
  readonly #setup: WorktreeSetup;
  readonly #services: AgentServices;
  readonly #saver: WorkSaver;
  readonly #keeper: ConversationKeeper;
  readonly #judging: Judging;
  readonly #baseNews: Promise<string | null>;
  readonly #rest: Rest;
  #stopping = false;
  #inExchange = false;
  /** The model was called in this period, or a claim of an earlier period is judged. */
  #asked = false;

  constructor(
    context: EngineContext,
    options: Observed &
      Omit<Judging, "signal"> & {
        readonly session: AgentSession;
        readonly observers: SessionObserver;
        readonly baseNews: Promise<string | null>;
        readonly rest: Rest;
        readonly unwritten: Unwritten;
      },
  ) {
    this.#context = context;
    this.agentId = options.agent.id;
    this.token = options.agent.token;
    this.#role = options.role;
    this.#session = options.session;
    this.#meter = options.meter;
    this.#observers = options.observers;
    this.#guards = options.guards;
    this.#judging = { ...options, signal: this.#cut.signal };
    this.#baseNews = options.baseNews;
    this.#rest = options.rest;
    options.guards.attach(options.session);
    options.instructions.attach(options.session);
    this.#setup = new WorktreeSetup(context, this.#cut.signal);
    this.#services = options.services;
    this.#saver = options.saver;
    options.saver.begin();
    this.#keeper = options.keeper;
    options.keeper.attach(options.session);
    this.done = this.#run()
      .catch((error: unknown) => this.#broke(error))
      .catch((error: unknown) => {
        context.log.error({ error, agentId: this.agentId }, "outcome of an agent's driver not written");
        options.unwritten(this.agentId, this.token);
      });
  }

  /** Whether the agent may be in the middle of a turn. */
  get isInExchange(): boolean {
    return this.#inExchange;
  }

  isWaiting(): boolean {
    return this.#meter.waited.isUnderWay;
  }

  /** Checks the signs of life; returns false while the session is suspect. */
  checkLife(): boolean {
    return this.#guards.life.checkLife();
  }

  /** Ends the exchange and the process; the conversation stays on disk. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#cut.abort();
    await this.#session.interrupt();
    // Called before `done`, so that an exchange that is about to begin is interrupted too.
    await this.#session.stop();
    await Promise.all([this.#saver.close(), this.#keeper.close()]);
    this.#services.close();
    await this.done;
  }

  /** Ends the current exchange only; pending messages start the next one. */
  async interrupt(): Promise<void> {
    await this.#session.interrupt();
  }

  async #run(): Promise<void> {
    let prompt = await this.#prepared(() => this.#opening());
    while (prompt !== null && !this.#stopping) {
      const agent = await this.#mine();
      if (agent === null || this.#stopping) return;
      const { text, pictures, shown } = await addPictures(this.#context, agent, prompt);
      await recordPictures(this.#context, agent, shown);
      if (this.#stopping) return;
      // A machine that is drained stops who is in no exchange.
      if (this.#context.nodes.isDraining) return await this.#leave(agent);
      this.#inExchange = true;
      this.#asked = true;
      this.#meter.begin(prompt.told, this.#session);
      this.#guards.begin();
      const told = this.#meter.warnings.tell(text);
      const end = explained(
        await this.#session.exchange(told, { ...this.#deadline(agent), pictures }),
        this.#role,
        agent.temperature,
      );
      await this.#observers.flush();
      this.#context.crashPoint("turn:ended");
      if (this.#stopping) return;
      if (this.#isCut(end)) return await this.#leave(agent);
      this.#inExchange = false;
      const next = await this.#after(this.#guards.ended(end));
      prompt = next && (await this.#prepared(() => Promise.resolve(next)));
    }
  }

  /** Returns whether the exchange has ended, between two turns or by itself, on a machine that is drained. */
  #isCut({ kind }: ObservedEnd): boolean {
    return this.#meter.isCut || (this.#context.nodes.isDraining && kind === "idle");
  }

  #leave(agent: AgentRecord): Promise<void> {
    this.#inExchange = true;
    return this.#rest(agent);
  }

  /** Returns the message once the worktree is prepared and its services run; null when the period is over. */
  async #prepared(message: () => Promise<Prompt | null>): Promise<Prompt | null> {
    return this.#setup.before(await this.#mine(), async () =>
      this.#services.before(await this.#mine(), this.#cut.signal, message),
    );
  }

  /**
   * Returns the first message or the wake brief, unless a recorded intent from an earlier period is applied
   * instead.
   */
  async #opening(): Promise<Prompt | null> {
    const agent = await this.#mine();
    if (agent === null) return null;
    // An agent that was paused meanwhile keeps its resting conversation.
    await advanceHolder(this.#context, agent, { moves: await opened(this.#context, agent) });
    const left = await this.#context.store.intents.recorded(agent.id);
    if (left !== undefined) {
      this.#asked = true;
      await dropBareWakes(this.#context, agent);
      return this.#after({ kind: "aborted" });
    }
    return openingMessage(this.#context, agent, { resumed: this.#session.resumed, base: this.#baseNews });
  }

  async #after(end: ObservedEnd): Promise<Prompt | null> {
    const agent = await this.#mine();
    if (agent === null) return null;
    if (end.kind === "idle" && agent.restarts > 0)
      await this.#context.store.transaction((tables) => note(tables, agent.id, { restarts: 0 }));
    if (end.kind === "model_error") await this.#meter.unanswered(end);
    const checked = await checkBlockReport(this.#context, agent);
    if (checked.intent === null && (await sleepForApproval(this.#context, agent))) return null;
    if (checked.intent === null && this.#meter.breaker === null && this.#meter.wrapUp === null) {
      const guarded = await this.#guards.next(agent, end);
      if (guarded !== null) return this.#guarded(agent, guarded);
    }
    const pending = await this.#context.store.wakes.pending(this.agentId);
    const decision = afterExchange({
      at: this.#context.clock.now(),
      agent,
      end,
      intent: checked.intent,
      blocker: checked.blocker,
      replanner: checked.replanner,
      breaker: this.#meter.breaker,
      wrapUp: this.#meter.wrapUp,
      room: this.#meter.room,
      pending: pending.length > 0,
      maxRestarts: this.#context.settings.retries.maxRestarts,
      idleSince: this.#meter.idleSince ?? this.#context.clock.now(),
      providerAt: this.#context.providerBreaker.dueAt(agent),
      used: this.#meter.used(),
      keyVariable: keyVariableOf(this.#context, agent),
    });
    return this.#apply(agent, decision, checked);
  }

  async #apply(agent: AgentRecord, decision: AfterExchange, checked: CheckedIntent): Promise<Prompt | null> {
    switch (decision.next) {
      case "rest":
        return null;
      case "evaluate":
        return restsDuring(this.#context, agent, () =>
          evaluate(this.#context, agent, this.#role, { checked, ...this.#judging }),
        );
      case "say":
        return this.#say(agent, decision.what);
      case "move":
        return this.#move(agent, decision.event, checked);
    }
  }

  async #move(
    agent: AgentRecord,
    event: Extract<AfterExchange, { next: "move" }>["event"],
    checked: CheckedIntent,
  ): Promise<Prompt | null> {
    const { refused, fenced } = await advanceHolder(
      this.#context,
      agent,
      { moves: [agentMove(agent, event)] },
      { afterwards: applyingIntent(agent, checked, event.at), evidence: this.#guards.evidence() },
    );
    const refusal = refused.find((one) => one.machine === "agent");
    if (fenced || refusal === undefined) return null;
    return { text: refusedMessage(checked.row?.kind ?? event.type, refusal.reason), told: [] };
  }

  async #guarded(agent: AgentRecord, guarded: Guarded): Promise<Prompt | null> {
    if ("say" in guarded) return guarded.say;
    const { moves, also, evidence } = guarded;
    await advanceHolder(this.#context, agent, { moves }, { also, evidence });
    return null;
  }

  async #say(agent: AgentRecord, what: "brief" | "nudge" | "wrap_up"): Promise<Prompt> {
    if (what === "wrap_up") {
      const limit = this.#meter.breaker ?? "max_tool_calls";
      this.#meter.wrapUp = limit;
      return { text: wrapUpMessage(limit), told: [] };
    }
    const nudges = what === "nudge" ? agent.nudges + 1 : 0;
    await this.#context.store.transaction((tables) => note(tables, agent.id, { nudges }));
    if (what === "nudge") return { text: NUDGE, told: [] };
    const news = await this.#context.store.wakes.pending(agent.id);
    return { text: wakesMessage(news), told: news.map((wake) => wake.id) };
  }

  /** Returns the record while it is ACTIVE under our token. */
  async #mine(): Promise<AgentRecord | null> {
    const agent = await this.#context.store.records.get("agent", this.agentId);
    return agent?.state === "ACTIVE" && agent.token === this.token ? agent : null;
  }

  /** Returns the remaining active time; time that its tools wait for git or GitHub is added on top. */
  #deadline(agent: AgentRecord): { deadlineMs: number; leftMs: () => number } {
    const { clock, settingsOf } = this.#context;
    const { waited } = this.#meter;
    const now = clock.now();
    const used = agent.activeMs + now - (agent.activeSince ?? now);
    const { activeMs } = allowanceOf(limitsFor(settingsOf(agent.repositoryId), this.#role), agent);
    const deadlineMs = Math.max(1, activeMs - used);
    const until = now + deadlineMs - waited.ms;
    return { deadlineMs, leftMs: () => until + waited.ms - clock.now() };
  }

  async #broke(error: unknown): Promise<void> {
    this.#context.log.error({ error, agentId: this.agentId }, "agent's driver failed");
    const agent = await this.#mine();
    if (agent === null) return;
    const asked = this.#asked;
    await advanceHolder(this.#context, agent, await afterError(this.#context, agent, error, { asked }));
  }
}
