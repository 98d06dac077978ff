import { messageOf } from "../../domain/kernel/errors.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import type { Drivers } from "../sessions/drivers.ts";
import { suspendAgent } from "./recover.ts";

const WORDS = {
  moved: "its machine did not reach the database in time",
  woken: "its machine did not reach the database in time",
} as const;

/**
 * Ends the agents of a node that cannot say in time that it runs, before others take them over: no agent works twice. Those
 * that nobody has taken over rest once the node reaches the database again, and are woken.
 */
export class CutOff {
  readonly #context: EngineContext;
  readonly #drivers: Drivers;
  readonly #ended = new Set<number>();

  constructor(context: EngineContext, drivers: Drivers) {
    this.#context = context;
    this.#drivers = drivers;
  }

  /** Ends the processes, without waiting: what they write needs the database, too. */
  endInTime(): void {
    const { nodes, log } = this.#context;
    if (nodes.mayGoOn) return;
    for (const agentId of this.#drivers.running()) {
      if (this.#ended.has(agentId)) continue;
      this.#ended.add(agentId);
      log.warn({ agentId }, "agent ended: this machine has not reached the database for too long");
      this.#drivers.stop(agentId).catch((error: unknown) => {
        log.warn({ agentId, error: messageOf(error) }, "an agent that was ended left something unwritten");
      });
    }
  }

  /** Puts to rest what was ended; call it when the node may have reached the database. */
  async rest(): Promise<void> {
    const { nodes, node, store } = this.#context;
    for (const agentId of this.#ended) {
      if (!nodes.mayGoOn) return;
      if (this.#drivers.has(agentId)) continue;
      const agent = await store.records.get("agent", agentId);
      this.#ended.delete(agentId);
      if (agent?.state === "ACTIVE" && agent.node === node)
        await suspendAgent(this.#context, agent, { words: WORDS });
    }
  }
}
