import { createHash } from "node:crypto";
import type { WorktreeRef } from "../core/ports/worktrees.ts";
import { bytesOf, Directory } from "./directory.ts";
import type { GitHost } from "./git-host.ts";
import { placeOf } from "./places.ts";

/** Of a file so much is read; no lock file is longer, and an agent may write what it likes. */
const MOST_BYTES = 32 * 1024 * 1024;

/** Stands for these files at the top of the worktree as they are, and for the directory itself: one made again differs. */
export async function digestFiles(
  host: GitHost,
  ref: WorktreeRef,
  names: readonly string[],
): Promise<string> {
  const directory = Directory.open(placeOf(host.dataDir, ref).directory);
  try {
    const { ino, birthtimeMs } = directory.stats;
    const hash = createHash("sha256").update(`${ino} ${birthtimeMs}\n`);
    for (const name of names) {
      // A link could lead anywhere: it counts by its being there.
      const found = directory.lstat(bytesOf(name));
      hash.update(`${name} ${found === null ? "none" : found.isFile() ? "file" : "other"} ${found?.size}\n`);
      if (found?.isFile()) hash.update((await directory.read(bytesOf(name), MOST_BYTES)) ?? "");
    }
    return hash.digest("hex");
  } finally {
    directory.close();
  }
}
