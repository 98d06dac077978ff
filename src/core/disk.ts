import type { DiskUse } from "./ports/disk.ts";

/** `circuit_breakers.disk`. */
export interface DiskLimits {
  /** Below it the greatest user is stopped, and nobody starts. */
  readonly minFreeBytes: number;
  /** Of all that one agent keeps. */
  readonly maxAgentBytes: number;
}

export interface AgentUse extends DiskUse {
  readonly agentId: number;
}

/** What is remembered from one look at the disk to the next. */
export interface DiskMemory {
  readonly low: boolean;
  /** Free bytes when the greatest user was stopped last; null while nobody had to be. */
  readonly freeAtStop: number | null;
}

export const ENOUGH_ROOM: DiskMemory = { low: false, freeAtStop: null };

export interface DiskVerdict {
  readonly memory: DiskMemory;
  readonly stop: readonly { readonly agentId: number; readonly reason: string }[];
}

/** Once low, so much more than the floor must be free before agents start again: a share of the floor. */
const MARGIN = 0.1;
/** Another agent is stopped only when this share of the floor went since the last: what is left stays where it is. */
const FURTHER = 0.125;

/**
 * Decides which of the agents at work are stopped. Each that keeps more than its limit is; with too little free, the
 * greatest user is. `uses` are those of the agents at work.
 */
export function judgeDisk(
  { free, uses }: { readonly free: number; readonly uses: readonly AgentUse[] },
  limits: DiskLimits,
  memory: DiskMemory,
): DiskVerdict {
  const floor = limits.minFreeBytes;
  const low = free < (memory.low ? floor * (1 + MARGIN) : floor);
  const over = uses
    .filter(({ bytes }) => bytes > limits.maxAgentBytes)
    .map((use) => ({
      agentId: use.agentId,
      reason: `this agent keeps ${amountOf(use)} on the disk, more than the ${sizeInWords(limits.maxAgentBytes)} of circuit_breakers.disk.max_agent_gib`,
    }));
  if (!low) return { memory: ENOUGH_ROOM, stop: over };
  const [greatest] = uses.toSorted(byUse);
  const fell = memory.freeAtStop === null || free < memory.freeAtStop - floor * FURTHER;
  if (greatest === undefined || !fell) return { memory: { low, freeAtStop: memory.freeAtStop }, stop: over };
  const reason = `the disk has less than ${sizeInWords(floor)} free (${sizeInWords(free)}); this agent uses ${amountOf(greatest)}, more than any other at work`;
  return {
    memory: { low, freeAtStop: free },
    stop: over.some(({ agentId }) => agentId === greatest.agentId)
      ? over
      : [...over, { agentId: greatest.agentId, reason }],
  };
}

/** The greatest first. What has too many files to be counted may hide any size behind them. */
function byUse(one: AgentUse, other: AgentUse): number {
  return Number(one.complete) - Number(other.complete) || other.bytes - one.bytes;
}

/** Why nobody starts or wakes while the disk is low, and what ends that. */
export function diskRefusal({ minFreeBytes }: DiskLimits): string {
  return `the disk of the data directory has less than ${sizeInWords(minFreeBytes)} free; it goes on when there is room again`;
}

/** What a person can do for an agent that was stopped for the room it takes. */
export const DISK_QUESTION =
  "Please free disk space (`/flotilla cancel` ends this agent and deletes what it kept, its work is archived), then resume. Its files are as it left them.";

/** In the largest unit of which there is one at least. */
export function sizeInWords(bytes: number): string {
  const gib = bytes / 1024 ** 3;
  return gib >= 1 ? `${Number(gib.toFixed(1))} GiB` : `${Math.floor(bytes / 1024 ** 2)} MiB`;
}

function amountOf({ bytes, complete }: DiskUse): string {
  return complete ? sizeInWords(bytes) : `at least ${sizeInWords(bytes)}`;
}
