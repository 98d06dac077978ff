import type { AgentRecord } from "../core/machines/agent-record.ts";
import type { RuntimeEvent } from "../core/ports/agent-runtime.ts";
import { newsMessage } from "../core/text/messages.ts";
import type { EngineContext } from "./context.ts";
import type { WriteQueue } from "./write-queue.ts";

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
export class Inbox {
  /** Handed out in this exchange. */
  #told = new Set<number>();
  /** Told by the message that begins the exchange; it stands in the conversation once a turn begins. */
  #opening: readonly number[] = [];
  /** Handed out with answers of tools, and read by no model call yet. */
  #handed: number[] = [];
  /** Read by the call under way, which has answered nothing yet. */
  #asked: number[] = [];
  readonly #context: EngineContext;
  readonly #agent: AgentRecord;
  readonly #writes: WriteQueue;

  constructor(context: EngineContext, options: { agent: AgentRecord; writes: WriteQueue }) {
    this.#context = context;
    this.#agent = options.agent;
    this.#writes = options.writes;
  }

  /** Before each exchange: the wakes that its message tells. */
  begin(told: readonly number[]): void {
    this.#told = new Set(told);
    this.#opening = told;
    this.#handed = [];
    this.#asked = [];
  }

  /** What arrived and was not told yet, for the model to read with the answer of a tool; null for nothing. */
  async news(): Promise<string | null> {
    const pending = await this.#context.store.wakes.pending(this.#agent.id);
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
    this.#delivered(this.#opening);
    this.#opening = [];
    this.#asked.push(...this.#handed);
    this.#handed = [];
  }

  observe(event: RuntimeEvent): void {
    if (this.#asked.length === 0 || !ANSWERS.has(event.type)) return;
    this.#context.crashPoint("turn:answer");
    this.#delivered(this.#asked);
    this.#asked = [];
  }

  #delivered(ids: readonly number[]): void {
    const { store, clock } = this.#context;
    if (ids.length > 0) this.#writes.add(() => store.wakes.settle(ids, "delivered", clock.now()));
  }
}
