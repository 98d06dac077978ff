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
import { runtimeToolsOf } from "../kernel/runtime-of.ts";
import { treeOf } from "../tasks/worktree-of.ts";

/** A longer gap between two checks means that the host itself was suspended: rounds are seconds apart. */
const STANDSTILL_MS = 600_000;

/** Watches one agent's session for signs of life during an exchange, and ends an exchange that shows none. */
export class LifeWatch {
  #session: AgentSession | undefined;
  #pulse: Activity | null = null;
  #liveness: Liveness = WELL;
  #checkedAt = 0;
  #probing = false;
  /** Number of the current exchange: a probe may be answered after its own exchange has ended. */
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

  /** Starts watching; called before each exchange. */
  begin(): void {
    const now = this.#context.clock.now();
    this.#exchanges += 1;
    this.#pulse = newActivity(now);
    this.#liveness = WELL;
    this.#checkedAt = now;
  }

  observe(event: RuntimeEvent): void {
    if (this.#pulse === null) return;
    const tools = runtimeToolsOf(this.#context, this.#agent);
    this.#pulse = recordEvent(this.#pulse, event, this.#context.clock.now(), tools);
  }

  /** The verdict that ended the exchange, or null. */
  get verdict(): Verdict | null {
    return this.#liveness.state === "judged" ? this.#liveness.verdict : null;
  }

  /**
   * Returns how the exchange ended: one that was stopped as lifeless ends like a crash; one whose tool was
   * stopped does not.
   */
  ended(end: ExchangeEnd): ObservedEnd {
    this.#pulse = null;
    if (this.verdict === null || this.verdict.kind === "tool") return end;
    return {
      kind: this.verdict.kind === "dead" ? "runtime_died" : "lifeless",
      detail: verdictText(this.verdict),
    };
  }

  /**
   * Checks the exchange once per round and probes a suspect session. Returns false while the session is
   * suspect: its lease is then not renewed.
   */
  checkLife(): boolean {
    const now = this.#context.clock.now();
    const still = now - this.#checkedAt;
    this.#checkedAt = now;
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
        "agent's sign of life not read",
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
      "agent ended: no sign of life",
    );
    // Interrupting the turn ends its tool; the process and the conversation continue.
    if (verdict.kind === "tool") await session.interrupt();
    else await session.stop();
  }

  /** Records the decision that a suspect session was not ended after all. */
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
