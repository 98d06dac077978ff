import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { newsMessage } from "../../domain/conversation/prompts.ts";
import type { AgentSession, RuntimeEvent } from "../../domain/ports/agent-runtime.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { isHolder } from "../kernel/is-holder.ts";
import type { WriteQueue } from "../outbox/write-queue.ts";

/** The model has read what the call was made with. */
const ANSWERS: ReadonlySet<RuntimeEvent["type"]> = new Set([
  "message_delta",
  "message",
  "tool_started",
  "usage",
]);

/**
 * What is told to one agent in an awake period. Each wake is handed out once in an exchange, by its message or with the
 * answer of a tool, so that the next model call reads it. One that no call came to read stays pending: it is told again
 * by the next message, of this process or of one after it.
 */
export class PendingWakes {
  /** Handed out in this exchange. */
  #told = new Set<number>();
  /** Told by the message that begins the exchange, which is in the conversation once a turn begins; null from then on. */
  #opening: readonly number[] | null = null;
  /** Handed out with answers of tools, and read by no model call yet. */
  #handed: number[] = [];
  /** Read by the call under way, which has answered nothing yet. */
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

  /** Before each exchange of this session: the wakes that its message tells. */
  begin(told: readonly number[], session: Pick<AgentSession, "save">): void {
    this.#session = session;
    this.#told = new Set(told);
    this.#opening = told;
    this.#handed = [];
    this.#asked = [];
  }

  /** What arrived and was not told yet, for the model to read with the answer of a tool; null for nothing. */
  async news(): Promise<string | null> {
    const pending = await this.#context.store.wakes.pending(this.#agent.id);
    // Looked at after the wakes: the wake that a pause brings is for the period after it.
    if (pending.length > 0 && !(await isHolder(this.#context.store, this.#agent))) return null;
    // Tools of one turn end at the same time: nothing is awaited between the look and the mark.
    const fresh = pending.filter(({ id }) => !this.#told.has(id));
    if (fresh.length === 0) return null;
    for (const { id } of fresh) {
      this.#told.add(id);
      this.#handed.push(id);
    }
    this.#context.crashPoint("turn:news");
    return newsMessage(fresh);
  }

  /** A model call begins: it reads all that was handed out so far. */
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

  /** They count once the conversation that has them is on disk: a kill before that has the model know nothing of them. */
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
