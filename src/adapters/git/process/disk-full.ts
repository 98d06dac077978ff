import { statfsSync } from "node:fs";
import type { GitHost } from "./git-host.ts";

/** With less free space, a write of git may have failed for lack of it, although some space has been freed since. */
const LITTLE_BYTES = 16 * 1024 * 1024;
const FEW_FILES = 64;

/** Returns whether the disk of the data directory is practically full, according to the system. */
export function isDiskFull({ dataDir }: Pick<GitHost, "dataDir">): boolean {
  try {
    const { bavail, bsize, files, ffree } = statfsSync(dataDir);
    return bavail * bsize < LITTLE_BYTES || (files > 0 && ffree < FEW_FILES);
  } catch {
    return false;
  }
}
