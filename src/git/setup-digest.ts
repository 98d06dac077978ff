import { createHash } from "node:crypto";
import { lstat, open } from "node:fs/promises";
import { join } from "node:path";
import type { WorktreeRef } from "../core/ports/worktrees.ts";
import type { GitHost } from "./git-host.ts";
import { placeOf } from "./places.ts";

/** Of a file so much is read; no lock file is longer, and an agent may write what it likes. */
const MOST_BYTES = 32 * 1024 * 1024;

/** Stands for these files at the top of the worktree as they are, and for the directory itself: one made anew differs. */
export async function digestFiles(
  host: GitHost,
  ref: WorktreeRef,
  names: readonly string[],
): Promise<string> {
  const { directory } = placeOf(host.dataDir, ref);
  const { ino, birthtimeMs } = await lstat(directory);
  const hash = createHash("sha256").update(`${ino} ${birthtimeMs}\n`);
  for (const name of names) {
    const path = join(directory, name);
    // A link could lead anywhere: it counts by its being there.
    const found = await lstat(path).catch(() => null);
    hash.update(`${name} ${found === null ? "none" : found.isFile() ? "file" : "other"} ${found?.size}\n`);
    if (found?.isFile()) hash.update(await beginningOf(path));
  }
  return hash.digest("hex");
}

async function beginningOf(path: string): Promise<Buffer> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const buffer = Buffer.alloc(Math.min(size, MOST_BYTES));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
