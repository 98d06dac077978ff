import { statfsSync } from "node:fs";
import type { GitHost } from "./git-host.ts";

/** With less, a write of git may have failed for it, though some of it came free since. */
const LITTLE_BYTES = 16 * 1024 * 1024;
const FEW_FILES = 64;

/** Returns whether the disk of the data directory has next to nothing free, as the system says. */
export function isDiskFull({ dataDir }: Pick<GitHost, "dataDir">): boolean {
  try {
    const { bavail, bsize, files, ffree } = statfsSync(dataDir);
    return bavail * bsize < LITTLE_BYTES || (files > 0 && ffree < FEW_FILES);
  } catch {
    return false;
  }
}
