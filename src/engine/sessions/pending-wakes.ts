import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { wakesMessage } from "../../domain/conversation/prompts.ts";
import type { AgentSession, RuntimeEvent } from "../../domain/ports/agent-runtime.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { isHolder } from "../kernel/is-holder.ts";
import type { WriteQueue } from "../outbox/write-queue.ts";

/** Events that prove that the model has read the input of its call. */
const ANSWERS: ReadonlySet<RuntimeEvent["type"]> = new Set([
  "message_delta",
  "message",
  "tool_started",
  "usage",
]);

/**
 * Delivers wakes to one agent during an awake period, each once per exchange: in its first message or with
 * the answer of a tool. A wake that no model call has read stays pending, and the next message carries it,
 * even after a restart.
 */
export class PendingWakes {
  /** Wakes delivered in this exchange. */
  #told = new Set<number>();
  /** Wakes of the exchange's first message, which counts as saved once a turn begins; null from then on. */
  #opening: readonly number[] | null = null;
  /** Wakes delivered with tool answers that no model call has read yet. */
  #handed: number[] = [];
  /** Wakes read by the current model call, which has not answered yet. */
  #asked: number[] = [];
  readonly #context: EngineContext;
  readonly #agent: AgentRecord;
  readonly #writes: WriteQueue;
  #session: Pick<AgentSession, "save"> | undefined;

  constructor(context: EngineContext, options: { agent: AgentRecord; writes: WriteQueue }) {
    this.#context = context;
    this.#agent = options.agent;
    this.#writes = options.writes;
  }

  /** Starts an exchange whose first message carries the wakes `told`. */
  begin(told: readonly number[], session: Pick<AgentSession, "save">): void {
    this.#session = session;
    this.#told = new Set(told);
    this.#opening = told;
    this.#handed = [];
    this.#asked = [];
  }

  /** Returns pending wakes that were not delivered yet, as text for the answer of a tool; null for none. */
  async news(): Promise<string | null> {
    const pending = await this.#context.store.wakes.pending(this.#agent.id);
    // Checked after reading the wakes: the wake that comes with a pause is for the next period.
    if (pending.length > 0 && !(await isHolder(this.#context.store, this.#agent))) return null;
    // Tools of one turn end concurrently, so nothing may be awaited between reading and marking.
    const fresh = pending.filter(({ id }) => !this.#told.has(id));
    if (fresh.length === 0) return null;
    for (const { id } of fresh) {
      this.#told.add(id);
      this.#handed.push(id);
    }
    this.#context.crashPoint("turn:news");
    return wakesMessage(fresh);
  }

  /** Marks everything delivered so far as read by the model call that begins. */
  turnStarts(): void {
    if (this.#opening !== null) this.#delivered(this.#opening);
    this.#opening = null;
    this.#asked.push(...this.#handed);
    this.#handed = [];
  }

  observe(event: RuntimeEvent): void {
    if (this.#asked.length === 0 || !ANSWERS.has(event.type)) return;
    this.#context.crashPoint("turn:answer");
    this.#delivered(this.#asked);
    this.#asked = [];
  }

  /**
   * Settles wakes once the conversation that contains them is on disk: after an earlier kill the model would
   * not know them.
   */
  #delivered(ids: readonly number[]): void {
    const { store, clock, crashPoint } = this.#context;
    const saved = this.#session?.save();
    if (ids.length === 0) return;
    this.#writes.add(async () => {
      if (!(await saved)) return;
      await store.wakes.settle(ids, "delivered", clock.now());
      crashPoint("turn:told");
    });
  }
}
