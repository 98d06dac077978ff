import type { Settings } from "../settings/settings.ts";
import { sizeInWords } from "./disk-words.ts";

/** What this machine has, and how many agents it runs. */
export interface Machine {
  /** Memory that Flotilla and everything it starts may use. */
  readonly memoryBytes: number;
  /** Free space on the disk of the data directory; null before it was read. */
  readonly freeDiskBytes: number | null;
  readonly atWork: number;
}

export interface NoRoom {
  /** Contains no figure that changes, so that the same refusal has the same text. */
  readonly reason: string;
  readonly change: string;
}

/** Why no agent begins on a machine that is drained. */
export const DRAINING: NoRoom = {
  reason: "this machine is being drained",
  change: "it starts automatically on another machine, or when this one starts agents again",
};

type Promised = Pick<Settings, "sandbox" | "disk">;

/** Returns whether an agent is promised anything of the machine; else every agent fits. */
export function isRoomLimited({ sandbox, disk }: Promised): boolean {
  return sandbox.memoryBytes !== null || disk.perAgentBytes > 0;
}

/** Returns why another agent would not fit beside what those at work were promised; null when it fits. */
export function noRoom(machine: Machine, settings: Promised): NoRoom | null {
  return noMemory(machine, settings) ?? noDisk(machine, settings);
}

/** Returns how many agents fit into the machine's memory at once; null where their memory is not limited. */
export function placesInMemory(memoryBytes: number, { sandbox }: Pick<Settings, "sandbox">): number | null {
  if (sandbox.memoryBytes === null) return null;
  return Math.max(0, Math.floor((memoryBytes - sandbox.hostMemoryBytes) / sandbox.memoryBytes));
}

function noMemory({ memoryBytes, atWork }: Machine, settings: Promised): NoRoom | null {
  const places = placesInMemory(memoryBytes, settings);
  if (places === null || atWork < places) return null;
  if (places === 0) return neverFits(memoryBytes, settings);
  const limit = sizeInWords(settings.sandbox.memoryBytes ?? 0);
  return {
    reason: `an agent is promised ${limit} of memory, and this machine has room for ${places === 1 ? "one" : places} at once`,
    change:
      "it starts automatically when an agent at work ends or sleeps; the operator can lower `sandbox.memory_gib` or give the machine more memory",
  };
}

/** Returns why no agent can ever start, where its memory exceeds what the machine can give. */
export function neverFits(memoryBytes: number, { sandbox }: Pick<Settings, "sandbox">): NoRoom | null {
  if (placesInMemory(memoryBytes, { sandbox }) !== 0) return null;
  const given = sizeInWords(Math.max(0, memoryBytes - sandbox.hostMemoryBytes));
  return {
    reason: `an agent is promised ${sizeInWords(sandbox.memoryBytes ?? 0)} of memory, and this machine has ${given} for agents`,
    change:
      "the operator lowers `sandbox.memory_gib` or `sandbox.host_memory_gib`, or gives the machine more memory",
  };
}

function noDisk({ freeDiskBytes, atWork }: Machine, { disk }: Promised): NoRoom | null {
  const needed = disk.minFreeBytes + disk.perAgentBytes * (atWork + 1);
  if (disk.perAgentBytes === 0 || freeDiskBytes === null || freeDiskBytes >= needed) return null;
  return {
    reason: `the disk of the data directory lacks ${sizeInWords(disk.perAgentBytes)} for another agent beside those at work`,
    change:
      "it starts automatically when the disk has room; the operator can free space or lower `circuit_breakers.disk.per_agent_gib`",
  };
}
