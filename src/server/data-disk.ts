import { open, rename, rm, stat, statfs } from "node:fs/promises";
import { join, resolve } from "node:path";
import { usedBytes } from "../adapters/git/worktree/used-bytes.ts";
import { heldOpenFiles } from "../adapters/sandbox/held-files.ts";
import type { Disk } from "../domain/ports/runner.ts";

const MIB = 1024 ** 2;
/**
 * Space that the database needs to record that an agent was stopped, and to continue until a person has freed space.
 */
const RESERVE_BYTES = 32 * MIB;
/** The reserve is created only if this much more is free. */
const ROOM_FOR_RESERVE = 2 * RESERVE_BYTES;

const BLOCK_BYTES = 65_536;

/**
 * Creates access to the disk of the data directory, and to the usage of agents below it. `databaseFiles` are absolute paths.
 */
export function createDataDisk(directory: string, databaseFiles: readonly string[]): Disk {
  const dataDir = resolve(directory);
  const reserve = join(dataDir, "reserve");
  return {
    async space() {
      const { bavail, bsize, files, ffree } = await statfs(dataDir);
      // Some file systems create inodes on demand, and report 0.
      const counted = files > 0;
      return {
        freeBytes: bavail * bsize,
        freeFiles: counted ? ffree : null,
        allFiles: counted ? files : null,
      };
    },
    used: ({ agentId, worktreePath }, most) =>
      usedBytes(
        [
          ...(worktreePath === null ? [] : [worktreePath]),
          ...["sessions", "evaluations"].map((kind) => join(dataDir, kind, String(agentId))),
        ],
        most,
      ),
    heldOpen: async () => heldOpenFiles(dataDir, await devicesOf([dataDir, ...databaseFiles])),
    mirrors: () => usedBytes([join(dataDir, "mirrors")], Number.POSITIVE_INFINITY),
    async keepReserve() {
      const { size } = await stat(reserve).catch(() => ({ size: 0 }));
      if (size === RESERVE_BYTES) return;
      const { bavail, bsize } = await statfs(dataDir);
      if (bavail * bsize >= ROOM_FOR_RESERVE) await makeReserve(reserve);
    },
    async giveUpReserve() {
      // A crash while the reserve was created leaves the draft.
      const paths = [reserve, draftOf(reserve)];
      const found = await Promise.all(paths.map((path) => stat(path).catch(() => null)));
      for (const path of paths) await rm(path, { force: true });
      return found.some((one) => one !== null);
    },
  };
}

/** Returns the device numbers of directories and of files: an overlay file system gives each its own. */
async function devicesOf(paths: readonly string[]): Promise<ReadonlySet<bigint>> {
  const found = await Promise.all(paths.map((path) => stat(path, { bigint: true }).catch(() => null)));
  return new Set(found.flatMap((stats) => stats?.dev ?? []));
}

const draftOf = (path: string) => `${path}.draft`;

/** Writes the reserve instead of only allocating it, with random bytes that no file system can compress. */
async function makeReserve(path: string): Promise<void> {
  const draft = draftOf(path);
  try {
    const file = await open(draft, "w", 0o600);
    try {
      for (let written = 0; written < RESERVE_BYTES; written += BLOCK_BYTES)
        await file.write(crypto.getRandomValues(new Uint8Array(BLOCK_BYTES)));
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}
