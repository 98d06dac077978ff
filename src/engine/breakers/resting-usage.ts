import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { AgentUse } from "../../domain/breakers/disk.ts";
import { messageOf } from "../../domain/kernel/errors.ts";
import type { Position } from "../../domain/ports/lists.ts";
import type { Counted } from "../../domain/ports/runner.ts";
import type { EngineContext } from "../kernel/engine-context.ts";

type Given = Pick<EngineContext, "store" | "disk" | "settings" | "clock" | "log">;

const RESTING = ["SLEEPING", "ESCALATED"] as const;
const PAGE = 100;
/** A round stops counting after this time; the next round continues there. */
const ROUND_MS = 5_000;
const MOST_ASLEEP = 5;
const MOST = 20;

interface CountedAgent extends Counted {
  /** The period after which the use was counted: nothing changes before the next one. */
  readonly token: number;
}

/** Tracks the disk use of agents without a process. Each is measured once after each period of work. */
export class RestingUse {
  readonly #counted = new Map<number, CountedAgent>();
  #after: Position | null = null;
  readonly #context: Given;

  constructor(context: Given) {
    this.#context = context;
  }

  /** Counts the agents of one page that were not counted yet. */
  async count(): Promise<void> {
    const { store, clock } = this.#context;
    const until = clock.now() + ROUND_MS;
    const page = await store.lists.agents(
      { states: RESTING, repositories: null },
      { after: this.#after, limit: PAGE },
    );
    for (const { row, position } of page) {
      if (clock.now() > until) return;
      await this.#countOne(row.agent);
      this.#after = position;
    }
    if (page.length < PAGE) this.#after = null;
  }

  /** Returns the agents that keep most, in descending order. */
  async greatest(): Promise<readonly AgentUse[]> {
    const found: AgentUse[] = [];
    let asleep = 0;
    for (const [agentId, counted] of [...this.#counted].toSorted(byBytes)) {
      const agent = await this.#context.store.records.get("agent", agentId);
      if (agent?.token !== counted.token || !isResting(agent)) {
        this.#counted.delete(agentId);
        continue;
      }
      const { bytes, files } = counted;
      const state = agent.state === "SLEEPING" ? "asleep" : "stopped";
      found.push({ agentId, name: agent.name, state, bytes, files, hidden: false });
      if (state === "asleep") asleep += 1;
      if (asleep === MOST_ASLEEP || found.length === MOST) break;
    }
    return found;
  }

  async #countOne({ id: agentId, name, token, worktreePath }: AgentRecord): Promise<void> {
    if (this.#counted.get(agentId)?.token === token) return;
    const { disk, settings, log } = this.#context;
    try {
      const counted = await disk.used({ agentId, worktreePath }, settings.disk.maxAgentFiles);
      this.#counted.set(agentId, { ...counted, token });
    } catch (error) {
      log.warn({ agent: name, error: messageOf(error) }, "agent's files not counted");
    }
  }
}

function isResting({ state }: AgentRecord): boolean {
  return RESTING.some((resting) => resting === state);
}

function byBytes([, one]: readonly [number, Counted], [, other]: readonly [number, Counted]): number {
  return other.bytes - one.bytes;
}
