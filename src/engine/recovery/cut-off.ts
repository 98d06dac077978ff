import { messageOf } from "../../domain/kernel/errors.ts";
import { isHere } from "../kernel/at-work-here.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { readable } from "../kernel/readable.ts";
import type { Drivers } from "../sessions/drivers.ts";
import { suspendAgent } from "./recover.ts";

const CUT_OFF = {
  moved: "its machine did not reach the database in time",
  woken: "its machine did not reach the database in time",
} as const;

const UNWRITTEN = {
  moved: "the end of its turn could not be written to the database",
  woken: "the end of your last turn could not be written to the database",
} as const;

/** How long an agent rests whose end could not be written, and how long until that rest is tried again. */
const PAUSE_MS = 15_000;

interface Ended {
  /** The period that ended. */
  readonly token: number;
  readonly pauseMs: number;
  readonly words: typeof CUT_OFF | typeof UNWRITTEN;
  /** When its rest may be tried. */
  notBefore: number;
}

/**
 * Ends the agents of a node that cannot say in time that it runs, before others take them over: no agent works twice. These
 * rest once the node reaches the database again, and are woken, unless somebody has taken them over. So do agents whose
 * period ended here while its outcome could not be written.
 */
export class CutOff {
  readonly #context: EngineContext;
  readonly #drivers: Drivers;
  readonly #ended = new Map<number, Ended>();

  constructor(context: EngineContext, drivers: Drivers) {
    this.#context = context;
    this.#drivers = drivers;
  }

  /** Ends the processes, without waiting: what they write needs the database, too. */
  endInTime(): void {
    const { nodes, log } = this.#context;
    if (nodes.mayGoOn) return;
    for (const [agentId, token] of this.#drivers.periods()) {
      const known = this.#ended.get(agentId);
      // One whose outcome is not written has a process all the same, and so has a later period of the agent.
      if (known?.token === token && known.words === CUT_OFF) continue;
      this.#ended.set(agentId, { token, pauseMs: 0, words: CUT_OFF, notBefore: 0 });
      log.warn({ agentId }, "agent ended: this machine has not reached the database for too long");
      this.#drivers.stop(agentId).catch((error: unknown) => {
        log.warn({ agentId, error: messageOf(error) }, "an agent that was ended left something unwritten");
      });
    }
  }

  /** Remembers an agent whose period is over, and whose outcome could not be written. */
  unwritten(agentId: number, token: number): void {
    if (this.#ended.get(agentId)?.token === token) return;
    this.#ended.set(agentId, { token, pauseMs: PAUSE_MS, words: UNWRITTEN, notBefore: 0 });
  }

  /** Puts to rest what has ended; call it when the node may have reached the database. */
  async rest(): Promise<void> {
    const { nodes, clock } = this.#context;
    for (const [agentId, ended] of this.#ended) {
      if (!nodes.mayGoOn) return;
      if (this.#drivers.has(agentId) || clock.now() < ended.notBefore) continue;
      ended.notBefore = clock.now() + PAUSE_MS;
      const agent = await this.#atWork(agentId, ended);
      if (agent !== null) {
        await suspendAgent(this.#context, agent, { pauseMs: ended.pauseMs, words: ended.words });
        // It has failed, as on a full disk, and is tried again.
        if ((await this.#atWork(agentId, ended)) !== null) continue;
      }
      this.#ended.delete(agentId);
    }
  }

  async #atWork(agentId: number, { token }: Ended) {
    // The watchdog finds one that cannot be read by its lease, once it can.
    const [agent] = await readable(this.#context.store, "agent", { id: agentId });
    return agent?.state === "ACTIVE" && isHere(this.#context, agent) && agent.token === token ? agent : null;
  }
}
