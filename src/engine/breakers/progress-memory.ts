import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { Progress } from "../../domain/breakers/progress.ts";
import { type ProgressRow, progressSince } from "../../domain/breakers/progress-memory.ts";
import { messageOf } from "../../domain/kernel/errors.ts";
import type { EngineContext } from "../kernel/engine-context.ts";

/** Upper bound for the wakes delivered between two turns. */
const WAKES = 50;

/** Loads an agent's progress at the start of a period and saves it for the next one. */
export class ProgressMemory {
  #row: ProgressRow | null = null;
  readonly #context: EngineContext;
  readonly #agent: AgentRecord;
  readonly #fresh: Progress;

  /** `fresh` is the progress of an agent that has done nothing yet. */
  constructor(context: EngineContext, options: { agent: AgentRecord; fresh: Progress }) {
    this.#context = context;
    this.#agent = options.agent;
    this.#fresh = options.fresh;
  }

  /**
   * Returns the progress before the turn that is judged next. Never rejects: unreadable progress begins
   * again.
   */
  async before(): Promise<Progress> {
    try {
      this.#row = await this.#since(this.#row);
    } catch (error) {
      this.#context.log.warn(
        { error: messageOf(error), agent: this.#agent.name },
        "agent's progress not read",
      );
    }
    return this.#row?.progress ?? this.#fresh;
  }

  /**
   * Saves the progress before the driver acts on the turn. Never rejects: at worst a repetition is detected
   * late.
   */
  async after(progress: Progress): Promise<void> {
    this.#row = { ...(this.#row ?? this.#nothing()), progress };
    try {
      await this.#context.store.progress.put(this.#row);
    } catch (error) {
      this.#context.log.warn(
        { error: messageOf(error), agent: this.#agent.name },
        "agent's progress not saved",
      );
    }
  }

  async #since(known: ProgressRow | null): Promise<ProgressRow> {
    const { store } = this.#context;
    const { id } = this.#agent;
    const wakes = await store.wakes.delivered(id, WAKES);
    // Within a period, moves of the agent do not reset its progress.
    if (known !== null) return progressSince(known, { moves: [], wakes }, this.#fresh);
    const kept = (await store.progress.get(id)) ?? this.#nothing();
    return progressSince(kept, { moves: await store.transitions.ofAgent(id), wakes }, this.#fresh);
  }

  #nothing(): ProgressRow {
    return { agentId: this.#agent.id, progress: this.#fresh, moveId: 0, wakeId: 0 };
  }
}
