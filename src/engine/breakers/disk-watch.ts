import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import {
  type AgentUse,
  afterStops,
  type DiskMemory,
  type DiskReading,
  diskRefusal,
  ENOUGH_ROOM,
  isBelowFloor,
  judgeDisk,
  needsEarlyReading,
} from "../../domain/breakers/disk.ts";
import { DISK_QUESTION, sizeInWords } from "../../domain/breakers/disk-words.ts";
import { messageOf } from "../../domain/kernel/errors.ts";
import type { DiskSpace } from "../../domain/ports/runner.ts";
import { advanceAgent, agentMove } from "../kernel/advance-agent.ts";
import { atWorkHere } from "../kernel/at-work-here.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import type { Drivers } from "../sessions/drivers.ts";
import { pauseAtWork } from "./pause-at-work.ts";
import { RestingUse } from "./resting-usage.ts";

const EVERY_MS = 60_000;
/**
 * Shortest time between two checks while free space falls: each check counts all files of the working agents.
 */
const SOONEST_MS = 5_000;
/** Below this free space the database may fail to write before the next check. */
const NEXT_TO_NOTHING = 16 * 1024 ** 2;

/**
 * Reads the free space at each tick. Counts the files of working agents once a minute, and sooner below the
 * floor. Stops agents that exceed their limit and, when space is short, the largest user. No agent starts
 * meanwhile.
 */
export class DiskWatch {
  #memory: DiskMemory = ENOUGH_ROOM;
  /** The last check before space ran short, or the one at which an agent was last stopped. */
  #before: DiskReading | null = null;
  #last = Number.NEGATIVE_INFINITY;
  #explained = false;
  #checking: Promise<void> | null = null;
  readonly #context: EngineContext;
  readonly #drivers: Pick<Drivers, "stop">;
  readonly #resting: RestingUse;

  constructor(context: EngineContext, drivers: Pick<Drivers, "stop">) {
    this.#context = context;
    this.#drivers = drivers;
    this.#resting = new RestingUse(context);
  }

  /** Resolves when the current or due check has ended. Never rejects. */
  tick(): Promise<void> {
    this.#checking ??= this.#checkWhenDue()
      .catch((error: unknown) => this.#context.log.error({ error: messageOf(error) }, "disk not checked"))
      .finally(() => {
        this.#checking = null;
      });
    return this.#checking;
  }

  async #checkWhenDue(): Promise<void> {
    const { clock, disk, settings } = this.#context;
    const passed = clock.now() - this.#last;
    if (passed < SOONEST_MS) return;
    if (passed < EVERY_MS) {
      const space = await disk.space().catch(() => null);
      if (space !== null) this.#context.room.freeDiskBytes = space.freeBytes;
      if (space === null || !needsEarlyReading(space, settings.disk, this.#memory)) return;
    }
    const isFirst = this.#last === Number.NEGATIVE_INFINITY;
    this.#last = clock.now();
    await this.#check();
    await this.#resting.count();
    // The first check belongs to the start, which must not wait for this.
    if (!isFirst && !this.#isLow()) await disk.keepReserve();
  }

  async #check(): Promise<void> {
    const { disk, settings } = this.#context;
    const before = await disk.space();
    // Refuses new starts before the files are counted, because counting takes a while.
    if (isBelowFloor(before, settings.disk)) {
      this.#shut(before);
      await this.#dropSetups();
    }
    const uses = [...(await this.#atWork()), ...(await this.#resting.greatest())];
    const space = await disk.space();
    const { memory, stop, unexplained } = judgeDisk(
      { space, uses },
      settings.disk,
      this.#memory,
      this.#before,
    );
    const isLow = memory.bytes.low || memory.files.low;
    if (isLow) this.#shut(space);
    else this.#open(space);
    // Processes end first, so that none of them takes the space that the reserve frees for the database.
    for (const { agentId } of stop) await this.#drivers.stop(agentId);
    const isFull = unexplained !== null && space.freeBytes < NEXT_TO_NOTHING;
    const held = isFull ? await this.#stopAll() : [];
    // While the writing process still runs, it would use up the reserve too.
    if (!isLow || isFull || stop.length > 0) await this.#freeReserve();
    for (const { agentId, reason } of stop) await this.#stop(agentId, reason);
    for (const { id } of held)
      await pauseAtWork(this.#context, id, { by: "flotilla", why: unexplained ?? "" });
    const after = await disk.space();
    this.#context.room.freeDiskBytes = after.freeBytes;
    this.#memory = afterStops(memory, after);
    if (!isLow || stop.length > 0) this.#before = { space: after, uses };
    if (isLow && !this.#explained) await this.#explain(uses, unexplained);
    this.#explained = isLow && (this.#explained || stop.length > 0 || unexplained !== null);
  }

  /** Frees what only saves time, before an agent is stopped for its files. */
  async #dropSetups(): Promise<void> {
    const { worktrees, log } = this.#context;
    await worktrees.dropSetups(null).catch((error: unknown) => {
      log.warn({ error: messageOf(error) }, "kept setups not deleted");
    });
  }

  #isLow(): boolean {
    return this.#memory.bytes.low || this.#memory.files.low;
  }

  async #atWork(): Promise<readonly AgentUse[]> {
    const { disk, settings, log } = this.#context;
    const agents = await atWorkHere(this.#context);
    const held = await disk.heldOpen();
    const uses: AgentUse[] = [];
    for (const agent of agents) {
      const { bytes = 0, hidden = false } = held.get(agent.id) ?? {};
      const { id: agentId, name, worktreePath } = agent;
      const counted = await disk
        .used({ agentId, worktreePath }, settings.disk.maxAgentFiles)
        .catch((error: unknown) => {
          log.warn({ agent: name, error: messageOf(error) }, "agent's files not counted");
          return null;
        });
      uses.push({
        agentId,
        name,
        state: "at_work",
        bytes: bytes + (counted?.bytes ?? 0),
        files: counted?.files ?? 0,
        hidden: hidden || counted === null,
      });
    }
    return uses;
  }

  /** Ends the processes of all working agents: any of them may be filling the disk. */
  async #stopAll(): Promise<readonly AgentRecord[]> {
    const { log } = this.#context;
    const agents = await atWorkHere(this.#context);
    if (agents.length === 0) return [];
    log.error(
      { agents: agents.map(({ name }) => name) },
      "the disk is full and no agent explains it: all at work are paused until there is room",
    );
    for (const { id } of agents) await this.#drivers.stop(id);
    return agents;
  }

  async #freeReserve(): Promise<void> {
    const { disk, log } = this.#context;
    const { freeBytes } = await disk.space();
    if (freeBytes >= NEXT_TO_NOTHING || !(await disk.giveUpReserve())) return;
    log.error({ freeBytes }, "the disk is full: its reserve is given to the database");
  }

  async #stop(agentId: number, reason: string): Promise<void> {
    const { store, log, clock } = this.#context;
    const agent: AgentRecord | undefined = await store.records.get("agent", agentId);
    if (agent?.state !== "ACTIVE" && agent?.state !== "SLEEPING") return;
    log.error({ agent: agent.name, reason }, "agent stopped: it takes too much disk space");
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

  /** Logs, for the operator, which agents keep most, sleeping ones included. */
  async #explain(uses: readonly AgentUse[], unexplained: string | null): Promise<void> {
    const { disk, log } = this.#context;
    const greatest = uses
      .toSorted((one, other) => other.bytes - one.bytes)
      .slice(0, 5)
      .map((use) => `${use.name} ${sizeInWords(use.bytes)}, ${use.state.replace("_", " ")}`);
    const mirrors = sizeInWords((await disk.mirrors()).bytes);
    if (unexplained === null) log.warn({ greatest, mirrors }, "what keeps most of the disk");
    else
      log.error(
        { reason: unexplained, greatest, mirrors },
        "no agent is stopped: look what else fills the disk of the data directory, and free space",
      );
  }

  #shut(space: DiskSpace): void {
    const { changed, diskRoom, log, settings, shownHolds } = this.#context;
    const refusal = diskRefusal(space, settings.disk);
    if (refusal === diskRoom.refusal) return;
    if (diskRoom.refusal === null)
      log.error(
        { ...space, minFreeBytes: settings.disk.minFreeBytes },
        "the disk is nearly full: no agent starts; free space, or give the data directory a larger disk",
      );
    diskRoom.refusal = refusal;
    shownHolds.requestRound();
    changed();
  }

  #open(space: DiskSpace): void {
    const { changed, diskRoom, log, shownHolds } = this.#context;
    if (diskRoom.refusal === null) return;
    diskRoom.refusal = null;
    log.warn({ ...space }, "the disk has room again: agents start");
    shownHolds.requestRound();
    changed();
  }
}
