import { totalmem } from "node:os";

/** Returns the machine's memory, or the limit of the container or service that this process is in. */
export function machineMemory(limit: number = process.constrainedMemory(), all: number = totalmem()): number {
  // Without a limit, it is 0 or larger than any memory.
  return limit > 0 ? Math.min(limit, all) : all;
}
