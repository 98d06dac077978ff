import type { Disk, DiskSpace, HeldOpen } from "../../src/domain/ports/runner.ts";

/** A disk whose figures a test sets; it has enough space by default. */
export interface FakeDisk extends Disk {
  freeBytes: number;
  /** Null means that the file system has no fixed number of files. */
  files: Pick<DiskSpace, "freeFiles" | "allFiles">;
  /** By agent id. */
  readonly usedBytes: Map<number, number>;
  readonly usedFiles: Map<number, number>;
  readonly held: Map<number, HeldOpen>;
  /** True while the reserve exists. */
  reserve: boolean;
}

export function createFakeDisk(): FakeDisk {
  const disk: FakeDisk = {
    freeBytes: 100 * 1024 ** 3,
    files: { freeFiles: null, allFiles: null },
    usedBytes: new Map(),
    usedFiles: new Map(),
    held: new Map(),
    reserve: false,
    space: () => Promise.resolve({ freeBytes: disk.freeBytes, ...disk.files }),
    used: ({ agentId }) =>
      Promise.resolve({
        bytes: disk.usedBytes.get(agentId) ?? 0,
        files: disk.usedFiles.get(agentId) ?? 0,
      }),
    heldOpen: () => Promise.resolve(disk.held),
    mirrors: () => Promise.resolve({ bytes: 0, files: 0 }),
    keepReserve: () => {
      disk.reserve = true;
      return Promise.resolve();
    },
    giveUpReserve: () => {
      const was = disk.reserve;
      disk.reserve = false;
      return Promise.resolve(was);
    },
  };
  return disk;
}
