import { z } from "zod";
import type { Counted, DiskSpace } from "../ports/runner.ts";
import { section, setting, type Values } from "../settings/keys.ts";
import { filesInWords, sizeInWords } from "./disk-words.ts";

const inBytes = (gib: number) => gib * 1024 ** 3;

export const diskLimits = section(
  "disk",
  "Limits that keep agents from filling the disk; checked once a minute, and more often while free space shrinks.",
  {
    minFreeBytes: setting("min_free_gib", z.number().min(0).transform(inBytes), {
      description:
        "GiB that stay free on the disk of the data directory. With less, Flotilla stops the agent that uses most, asks a person and starts no agent; `0` switches this off.",
      default: 1,
    }),
    maxAgentBytes: setting("max_agent_gib", z.number().positive().transform(inBytes), {
      description: "GiB that one agent keeps in its worktree, its home and its session.",
      default: 10,
    }),
    maxAgentFiles: setting("max_agent_files", z.int().min(1), {
      description: "Files and directories that one agent keeps there.",
      default: 1_000_000,
    }),
    perAgentBytes: setting("per_agent_gib", z.number().min(0).transform(inBytes), {
      description:
        "GiB of disk that each agent is promised. An agent starts or wakes only if this much is free above `min_free_gib`, once for itself and once for each agent at work; else it waits. `0`: only `min_free_gib` counts.",
      default: 0,
    }),
  },
);

/** The limits of what agents keep; `room.ts` judges what they are promised. */
export type DiskLimits = Omit<Values<typeof diskLimits.keys>, "perAgentBytes">;

/** What one agent keeps on the disk. */
export interface AgentUse extends Counted {
  readonly agentId: number;
  readonly name: string;
  /** Only an agent at work can still grow; one that waits for a person cannot be stopped again. */
  readonly state: "at_work" | "asleep" | "stopped";
  /** True when the agent's processes do not show all files that they have open. */
  readonly hidden: boolean;
}

/** What is remembered of bytes, and of files, from one reading of the disk to the next. */
interface Shortage {
  readonly low: boolean;
  /** How much was free after the greatest user was stopped last; null before that. */
  readonly freeAtStop: number | null;
}

export interface DiskMemory {
  readonly bytes: Shortage;
  readonly files: Shortage;
}

const ENOUGH: Shortage = { low: false, freeAtStop: null };
export const ENOUGH_ROOM: DiskMemory = { bytes: ENOUGH, files: ENOUGH };

/** One reading of the disk: what is free, and what each agent keeps. */
export interface DiskReading {
  readonly space: DiskSpace;
  readonly uses: readonly AgentUse[];
}

export interface DiskVerdict {
  readonly memory: DiskMemory;
  readonly stop: readonly { readonly agentId: number; readonly reason: string }[];
  /** A message to the operator when space is short and no agent is the cause; null otherwise. */
  readonly unexplained: string | null;
}

/** How far above the floor free space must rise before agents start again, as a share of the floor. */
const MARGIN = 0.1;
/**
 * Another agent is stopped only when free space fell by this share of the floor, or by half of what was left, since the
 * last stop: stopped agents keep their files.
 */
const FURTHER = 0.125;
const HALF_OF_THE_REST = 0.5;
/** An agent that keeps less than this share of the floor cannot have filled the disk. */
const LEAST = 0.125;
/** An agent that keeps more than this share is notable, however much is free. */
const MUCH = 0.5;
/**
 * When the agents' files grew by less than this share of the loss, something else uses the space, or an agent hides its
 * use.
 */
const EXPLAINS = 0.5;
/** Files that must stay free, and the share of all files on small disks. */
const MIN_FREE_FILES = 50_000;
const MIN_FREE_FILES_SHARE = 0.05;

/** Returns how many files must stay free; 0 where nothing is limited. */
export function fileFloor(space: DiskSpace, { minFreeBytes }: DiskLimits): number {
  if (minFreeBytes === 0 || space.allFiles === null) return 0;
  return Math.min(MIN_FREE_FILES, Math.floor(space.allFiles * MIN_FREE_FILES_SHARE));
}

export function isBelowFloor(space: DiskSpace, limits: DiskLimits): boolean {
  return resourcesOf(space, limits, ENOUGH_ROOM).some(({ free, floor }) => free < floor);
}

/**
 * Returns true when an agent may have to be stopped before the next regular reading: free space fell below a floor, or
 * by a step below it.
 */
export function needsEarlyReading(space: DiskSpace, limits: DiskLimits, memory: DiskMemory): boolean {
  return resourcesOf(space, limits, memory).some(({ free, floor, before }) => isFurther(free, floor, before));
}

/**
 * Decides which agents are stopped: each above its limit and, when space is short, the greatest user, if it keeps a
 * notable part and agents explain the loss since `last`: the reading before space was short, or the one of the last
 * stop.
 */
export function judgeDisk(
  { space, uses }: DiskReading,
  limits: DiskLimits,
  memory: DiskMemory,
  last: DiskReading | null,
): DiskVerdict {
  const going = uses.filter(({ state }) => state !== "stopped");
  const stop = new Map(
    going.flatMap((use) => overLimit(use, limits)).map((one) => [one.agentId, one.reason]),
  );
  const before = last === null ? [] : resourcesOf(last.space, limits, memory);
  const judged = resourcesOf(space, limits, memory).map((resource, index) => {
    const grew = sum(uses.map((use) => growthOf(use, last?.uses ?? [], resource)));
    return judge(resource, going, { lost: (before[index]?.free ?? resource.free) - resource.free, grew });
  });
  for (const { stop: found } of judged)
    for (const { agentId, reason } of found) if (!stop.has(agentId)) stop.set(agentId, reason);
  const [bytes = ENOUGH, files = ENOUGH] = judged.map(({ shortage }) => shortage);
  return {
    memory: { bytes, files },
    stop: [...stop].map(([agentId, reason]) => ({ agentId, reason })),
    unexplained: judged.find(({ unexplained }) => unexplained !== null)?.unexplained ?? null,
  };
}

/** Returns the memory after the stops, with what they freed: no agent may use that space. */
export function afterStops(memory: DiskMemory, { freeBytes }: DiskSpace): DiskMemory {
  const { freeAtStop } = memory.bytes;
  if (freeAtStop === null) return memory;
  return { ...memory, bytes: { ...memory.bytes, freeAtStop: Math.max(freeAtStop, freeBytes) } };
}

/** Something that a disk can run out of. */
interface Resource {
  readonly free: number;
  readonly floor: number;
  readonly before: Shortage;
  readonly of: (use: AgentUse) => number;
  readonly inWords: (amount: number) => string;
}

/** Returns bytes, then files. */
function resourcesOf(space: DiskSpace, limits: DiskLimits, memory: DiskMemory): readonly Resource[] {
  return [
    {
      free: space.freeBytes,
      floor: limits.minFreeBytes,
      before: memory.bytes,
      of: ({ bytes }) => bytes,
      inWords: sizeInWords,
    },
    {
      free: space.freeFiles ?? 0,
      floor: space.freeFiles === null ? 0 : fileFloor(space, limits),
      before: memory.files,
      of: ({ files }) => files,
      inWords: filesInWords,
    },
  ];
}

function overLimit(use: AgentUse, limits: DiskLimits): DiskVerdict["stop"] {
  const reason = (amount: string, limit: string, key: string) => [
    {
      agentId: use.agentId,
      reason: `this agent keeps ${amount} on the disk, more than the ${limit} of circuit_breakers.disk.${key}`,
    },
  ];
  if (use.bytes > limits.maxAgentBytes)
    return reason(sizeInWords(use.bytes), sizeInWords(limits.maxAgentBytes), "max_agent_gib");
  if (use.files > limits.maxAgentFiles)
    return reason(
      `more than ${filesInWords(limits.maxAgentFiles)}`,
      filesInWords(limits.maxAgentFiles),
      "max_agent_files",
    );
  return [];
}

function isFurther(free: number, floor: number, { freeAtStop: last }: Shortage): boolean {
  return free < floor && (last === null || free <= Math.max(last - floor * FURTHER, last * HALF_OF_THE_REST));
}

/** What was lost since an earlier reading, and how much the agents' files grew meanwhile. */
interface Loss {
  readonly lost: number;
  readonly grew: number;
}

function growthOf(use: AgentUse, before: readonly AgentUse[], { of }: Resource): number {
  const then = before.find(({ agentId }) => agentId === use.agentId);
  return Math.max(0, of(use) - (then === undefined ? 0 : of(then)));
}

const sum = (amounts: readonly number[]) => amounts.reduce((one, other) => one + other, 0);

function judge(
  resource: Resource,
  uses: readonly AgentUse[],
  { lost, grew }: Loss,
): { readonly shortage: Shortage } & Pick<DiskVerdict, "stop" | "unexplained"> {
  const { free, floor, before, inWords } = resource;
  const low = free < (before.low ? floor * (1 + MARGIN) : floor);
  if (!low) return { shortage: ENOUGH, stop: [], unexplained: null };
  if (!isFurther(free, floor, before))
    return { shortage: { low, freeAtStop: before.freeAtStop }, stop: [], unexplained: null };
  const short = `the disk has less than ${inWords(floor)} free (${inWords(free)})`;
  const isExplained = lost < floor * LEAST || grew >= lost * EXPLAINS;
  const stop = (isExplained ? chosen(resource, uses) : hiding(uses)).map(({ use, why }) => ({
    agentId: use.agentId,
    reason: `${short}; this agent ${why}`,
  }));
  const why = isExplained
    ? "no agent keeps a notable part of it"
    : `${inWords(lost)} went while what agents keep grew by ${inWords(grew)}`;
  const unexplained = stop.length > 0 ? null : `${short}, and ${why}`;
  return { shortage: { low, freeAtStop: stop.length > 0 ? free : before.freeAtStop }, stop, unexplained };
}

interface Chosen {
  readonly use: AgentUse;
  readonly why: string;
}

/** Returns an agent that hides its use, where no other agent explains the loss. */
function hiding(uses: readonly AgentUse[]): readonly Chosen[] {
  return uses
    .filter(({ state, hidden }) => state === "at_work" && hidden)
    .slice(0, 1)
    .map((use) => ({
      use,
      why: "hides files that its processes have open, and no other agent explains what is gone",
    }));
}

/**
 * Chooses the greatest user. Where that one sleeps and half of the floor is gone, also the greatest one at work, since
 * only that can still grow; where no agent keeps much, one that hides its use.
 */
function chosen({ free, floor, of, inWords }: Resource, uses: readonly AgentUse[]): readonly Chosen[] {
  const notable = Math.max(floor * LEAST, Math.min(floor * MUCH, free));
  const great = uses.filter((use) => of(use) >= notable).toSorted((one, other) => of(other) - of(one));
  const [greatest] = great;
  if (greatest === undefined) return hiding(uses);
  const atWork = great.find(({ state }) => state === "at_work");
  const found =
    greatest === atWork || atWork === undefined || free >= floor * MUCH ? [greatest] : [atWork, greatest];
  return found.map((use) => ({
    use,
    why:
      use.state === "at_work"
        ? `uses ${inWords(of(use))}, more than any other at work`
        : `sleeps and keeps ${inWords(of(use))}, more than any other`,
  }));
}

/** Returns why no agent starts or wakes while the disk is low, and what ends that. */
export function diskRefusal(space: DiskSpace, limits: DiskLimits): string {
  const { freeBytes } = space;
  const floor =
    freeBytes < limits.minFreeBytes * (1 + MARGIN)
      ? sizeInWords(limits.minFreeBytes)
      : filesInWords(fileFloor(space, limits));
  return `the disk of the data directory has less than ${floor} free; it continues when there is room again`;
}
