import type { Disk } from "../../src/core/ports/disk.ts";

/** A disk whose figures a test sets; with room for all. */
export interface FakeDisk extends Disk {
  freeBytes: number;
  /** By agent id. */
  readonly usedBytes: Map<number, number>;
}

export function createFakeDisk(): FakeDisk {
  const disk: FakeDisk = {
    freeBytes: 100 * 1024 ** 3,
    usedBytes: new Map(),
    free: () => Promise.resolve(disk.freeBytes),
    used: ({ agentId }) => Promise.resolve({ bytes: disk.usedBytes.get(agentId) ?? 0, complete: true }),
  };
  return disk;
}
