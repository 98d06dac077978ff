import { type AgentRecord, isLive } from "../../domain/agents/agent-record.ts";
import { MOST_PACKED_BYTES } from "../../domain/conversation/kept-conversation.ts";
import { messageOf } from "../../domain/kernel/errors.ts";
import type { AgentSession, RuntimeEvent } from "../../domain/ports/agent-runtime.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { knownRuntimeOf } from "../kernel/runtime-of.ts";
import type { SessionObserver } from "./session-observer.ts";

/**
 * Keeps the conversation of one agent in the database after each turn, so that it outlives the disk. Nobody waits for
 * it, and it runs once at a time: of turns that end meanwhile, the last one is kept.
 */
export class ConversationKeeper implements SessionObserver {
  readonly #context: EngineContext;
  readonly #agent: AgentRecord;
  /** Texts as they were cleaned: a conversation grows, and most of it is as it was. */
  readonly #cleaned = new Map<string, string>();
  #session: Pick<AgentSession, "save"> | null = null;
  #keeping: Promise<void> | null = null;
  #again = false;
  #closed = false;

  constructor(context: EngineContext, agent: AgentRecord) {
    this.#context = context;
    this.#agent = agent;
  }

  attach(session: Pick<AgentSession, "save">): void {
    this.#session = session;
  }

  observe(event: RuntimeEvent): void {
    if (event.type === "turn_ended") this.#keepSoon();
  }

  flush(): Promise<void> {
    return Promise.resolve();
  }

  /** Called when the process has ended: keeps the conversation as it is now. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#keeping;
    await this.#keep();
  }

  #keepSoon(): void {
    if (this.#closed || knownRuntimeOf(this.#context, this.#agent)?.portable === undefined) return;
    this.#again = true;
    this.#keeping ??= this.#keepAll().finally(() => {
      this.#keeping = null;
    });
  }

  async #keepAll(): Promise<void> {
    while (this.#again && !this.#closed) {
      this.#again = false;
      await this.#keep(async () => (await this.#session?.save()) === true);
    }
  }

  /** Never rejects, whatever the process does meanwhile: without it, the conversation is on the disk alone. */
  async #keep(isSaved: () => Promise<boolean> = async () => true): Promise<void> {
    try {
      if (!(await isSaved())) return;
      await keepConversation(this.#context, this.#agent, (text) => this.#clean(text));
    } catch (error) {
      const { log } = this.#context;
      log.warn({ agent: this.#agent.name, error: messageOf(error) }, "conversation not kept in the database");
    }
  }

  #clean(text: string): string {
    const known = this.#cleaned.get(text);
    if (known !== undefined) return known;
    const clean = this.#context.redact(text);
    this.#cleaned.set(text, clean === text ? text : clean);
    return clean;
  }
}

/** Stores the conversation, unless it is too large, the agent has ended, or a later period has begun. */
async function keepConversation(
  context: EngineContext,
  agent: AgentRecord,
  clean: (text: string) => string,
): Promise<void> {
  const { id: agentId, sessionId, token } = agent;
  const { directories, store, clock, log } = context;
  const portable = knownRuntimeOf(context, agent)?.portable;
  if (portable === undefined || sessionId === null) return;
  const baseDirectory = await directories.session(agentId);
  const place = { sessionId, baseDirectory, sentFile: await directories.sentFile(agentId) };
  const packed = await portable.pack(place, clean);
  if (packed === null) return;
  if (packed.length > MOST_PACKED_BYTES) {
    log.info(
      { agent: agent.name, bytes: packed.length },
      "conversation too large to be kept in the database",
    );
    return;
  }
  await store.transaction(async (tables) => {
    const now = await tables.records.get("agent", agentId);
    if (now === undefined || !isLive(now) || now.token !== token || now.sessionId !== sessionId) return;
    await tables.conversations.put({ agentId, sessionId, token, keptAt: clock.now(), packed });
  });
}
