import { statfs } from "node:fs/promises";
import { join } from "node:path";
import type { Disk } from "../core/ports/disk.ts";
import { usedBytes } from "../git/used-bytes.ts";

/** The disk of the data directory, and what agents keep below it. */
export function createDataDisk(dataDir: string): Disk {
  return {
    async free() {
      const { bavail, bsize } = await statfs(dataDir);
      return bavail * bsize;
    },
    used: ({ agentId, worktreePath }) =>
      usedBytes([
        ...(worktreePath === null ? [] : [worktreePath]),
        ...["sessions", "evaluations"].map((kind) => join(dataDir, kind, String(agentId))),
      ]),
  };
}
