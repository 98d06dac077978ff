import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { type Activity, newActivity, recordEvent, shiftDeadlines } from "../../domain/breakers/activity.ts";
import {
  afterProbe,
  type Liveness,
  probeDue,
  type Verdict,
  verdictText,
  WELL,
} from "../../domain/breakers/liveness.ts";
import { messageOf } from "../../domain/kernel/errors.ts";
import type { AgentSession, ExchangeEnd, RuntimeEvent } from "../../domain/ports/agent-runtime.ts";
import type { ObservedEnd } from "../../domain/sessions/exchange.ts";
import { advanceHolder } from "../kernel/advance-agent.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { treeOf } from "../tasks/worktree-of.ts";

/** A host that did not look for so long stood still itself: rounds are seconds apart. */
const STANDSTILL_MS = 600_000;

/** Watches one agent's session for signs of life while an exchange is under way, and ends what has none. */
export class LifeWatch {
  #session: AgentSession | undefined;
  #pulse: Activity | null = null;
  #liveness: Liveness = WELL;
  #lookedAt = 0;
  #probing = false;
  /** Tells exchanges apart: a probe may be answered after its own has ended. */
  #exchanges = 0;
  #tree: string | null = null;
  readonly #context: EngineContext;
  readonly #agent: AgentRecord;

  constructor(context: EngineContext, agent: AgentRecord) {
    this.#context = context;
    this.#agent = agent;
  }

  attach(session: AgentSession): void {
    this.#session = session;
  }

  /** Before each exchange. */
  begin(): void {
    const now = this.#context.clock.now();
    this.#exchanges += 1;
    this.#pulse = newActivity(now);
    this.#liveness = WELL;
    this.#lookedAt = now;
  }

  observe(event: RuntimeEvent): void {
    const { clock, runtime } = this.#context;
    if (this.#pulse !== null) this.#pulse = recordEvent(this.#pulse, event, clock.now(), runtime.tools);
  }

  /** The verdict that ended the exchange, if one did. */
  get verdict(): Verdict | null {
    return this.#liveness.state === "judged" ? this.#liveness.verdict : null;
  }

  /** After the exchange: one that was ended for want of life ends like a crash; one whose tool was ended does not. */
  ended(end: ExchangeEnd): ObservedEnd {
    this.#pulse = null;
    if (this.verdict === null || this.verdict.kind === "tool") return end;
    return {
      kind: this.verdict.kind === "dead" ? "runtime_died" : "lifeless",
      detail: verdictText(this.verdict),
    };
  }

  /** A look each round; asks a suspect by itself. False while it is suspected: its lease is then not renewed. */
  look(): boolean {
    const now = this.#context.clock.now();
    const still = now - this.#lookedAt;
    this.#lookedAt = now;
    if (this.#pulse === null) return true;
    if (still > STANDSTILL_MS) this.#pulse = shiftDeadlines(this.#pulse, now, still);
    if (!this.#probing && probeDue(this.#liveness, this.#pulse, now)) void this.#ask(this.#exchanges);
    return this.#liveness.state === "well";
  }

  async #ask(exchange: number): Promise<void> {
    this.#probing = true;
    try {
      await this.#probe(exchange);
    } catch (error) {
      this.#context.log.warn(
        { error: messageOf(error), agent: this.#agent.name },
        "asking an agent for a sign of life failed",
      );
    } finally {
      this.#probing = false;
    }
  }

  async #probe(exchange: number): Promise<void> {
    const session = this.#session;
    if (session === undefined) return;
    const answer = await session.probe();
    const tree = await treeOf(this.#context, this.#agent);
    const changed = tree !== null && this.#tree !== null && tree !== this.#tree;
    this.#tree = tree;
    if (this.#pulse === null || exchange !== this.#exchanges) return;
    const before = this.#liveness;
    const probe = { at: this.#context.clock.now(), ...answer, changed };
    const after = afterProbe(before, this.#pulse, probe);
    this.#liveness = after.liveness;
    this.#pulse = after.activity;
    if (after.liveness.state === "judged") await this.#end(session, after.liveness.verdict);
    else if (before.state === "suspect" && after.liveness.state === "well") await this.#spared(before);
  }

  async #end(session: AgentSession, verdict: Verdict): Promise<void> {
    this.#context.log.warn(
      { agent: this.#agent.name, verdict, why: verdictText(verdict) },
      "an agent is ended for want of life",
    );
    // A tool ends with the turn that called it; the process and the conversation continue.
    if (verdict.kind === "tool") await session.interrupt();
    else await session.stop();
  }

  /** It was nearly ended: that it was not is a decision. */
  async #spared(suspect: Extract<Liveness, { state: "suspect" }>): Promise<void> {
    await advanceHolder(this.#context, this.#agent, {
      decisions: [
        {
          agentId: this.#agent.id,
          rule: "liveness",
          reason: "it did not answer, then showed a sign of life: it is not ended",
          change: null,
          inputs: { failed: suspect.probes },
        },
      ],
    });
  }
}
