import { sizeInWords } from "./disk-words.ts";

/** What the kernel counted of a control group's memory, from its `memory.events`. */
export interface MemoryEvents {
  /** How often the group was at its own limit and could not be given what it asked for. */
  readonly atLimit: number;
  /** Processes of the group that the kernel killed for memory, because the group, the service or the machine had none left. */
  readonly killed: number;
}

export const NO_EVENTS: MemoryEvents = { atLimit: 0, killed: 0 };

export function readMemoryEvents(text: string): MemoryEvents {
  const counts = new Map(text.split("\n").map((line) => [line.split(" ")[0], Number(line.split(" ")[1])]));
  return { atLimit: counts.get("oom") ?? 0, killed: counts.get("oom_kill") ?? 0 };
}

/**
 * Returns why the kernel killed an agent's processes between two readings, with the next step, as the rest of a sentence; null
 * where it killed none. It also kills them where the machine or the service is out of memory, below the agent's own limit.
 */
export function memoryEnd(
  before: MemoryEvents,
  after: MemoryEvents,
  limitBytes: number | null,
): string | null {
  if (after.killed <= before.killed) return null;
  return limitBytes !== null && after.atLimit > before.atLimit
    ? `its processes together used more memory than their limit of ${sizeInWords(limitBytes)}: raise \`sandbox.memory_gib\`, or have the work use less`
    : "the machine or Flotilla's service ran out of memory, and the system ended its processes: lower `runtime.max_concurrent_agents`, or give it more memory";
}
