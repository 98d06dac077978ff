import { DISK_QUESTION, type DiskMemory, diskRefusal, ENOUGH_ROOM, judgeDisk } from "../core/disk.ts";
import { messageOf } from "../core/errors.ts";
import type { AgentRecord } from "../core/machines/agent-record.ts";
import type { EngineContext } from "./context.ts";
import { advanceAgent, agentMove } from "./settle.ts";

const EVERY_MS = 60_000;

/** Whether agents may start: null, or why not. */
export interface DiskRoom {
  refusal: string | null;
}

/**
 * Looks once a minute at the disk's free space and at what each agent at work keeps there. Stops who keeps too much and,
 * with too little free, the greatest user; meanwhile nobody starts.
 */
export class DiskWatch {
  #memory: DiskMemory = ENOUGH_ROOM;
  #next = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | null = null;
  readonly #context: EngineContext;

  constructor(context: EngineContext) {
    this.#context = context;
  }

  /** Resolves when the look that is due, or under way, is over. Never rejects. */
  tick(): Promise<void> {
    if (this.#looking === null && this.#context.clock.now() >= this.#next) {
      this.#next = this.#context.clock.now() + EVERY_MS;
      this.#looking = this.#look()
        .catch((error: unknown) =>
          this.#context.log.error({ error: messageOf(error) }, "the disk was not looked at"),
        )
        .finally(() => {
          this.#looking = null;
        });
    }
    return this.#looking ?? Promise.resolve();
  }

  async #look(): Promise<void> {
    const { store, disk, settings } = this.#context;
    const before = await disk.free();
    // At once, before the agents' files are counted, which takes a while.
    if (before < settings.disk.minFreeBytes) this.#shut(before);
    const agents = await store.records.find("agent", { state: "ACTIVE" });
    const uses = [];
    for (const { id: agentId, worktreePath } of agents)
      uses.push({ agentId, ...(await disk.used({ agentId, worktreePath })) });
    const free = await disk.free();
    const { memory, stop } = judgeDisk({ free, uses }, settings.disk, this.#memory);
    if (memory.low) this.#shut(free);
    else this.#open(free);
    for (const { agentId, reason } of stop) await this.#stop(agentId, reason);
    this.#memory = memory;
  }

  async #stop(agentId: number, reason: string): Promise<void> {
    const { store, log, clock } = this.#context;
    const agent: AgentRecord | undefined = await store.records.get("agent", agentId);
    if (agent?.state !== "ACTIVE") return;
    log.error({ agent: agent.name, reason }, "stopped an agent for the disk space that it takes");
    await advanceAgent(this.#context, agent, {
      moves: [
        agentMove(agent, {
          type: "ESCALATE",
          at: clock.now(),
          actor: "flotilla",
          reason,
          category: "disk",
          question: DISK_QUESTION,
          breaker: null,
        }),
      ],
    });
  }

  #shut(free: number): void {
    const { diskRoom, log, settings } = this.#context;
    if (diskRoom.refusal === null)
      log.error(
        { freeBytes: free, minFreeBytes: settings.disk.minFreeBytes },
        "the disk is nearly full: no agent starts; free space, or give the data directory a larger disk",
      );
    diskRoom.refusal = diskRefusal(settings.disk);
  }

  #open(free: number): void {
    const { changed, diskRoom, log } = this.#context;
    if (diskRoom.refusal === null) return;
    diskRoom.refusal = null;
    log.warn({ freeBytes: free }, "the disk has room again: agents start");
    changed();
  }
}
