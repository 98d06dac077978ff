import { constants } from "node:fs";
import { chmod, cp, lstat } from "node:fs/promises";

/**
 * Copies a file or directory of the data directory. Archives hold what agents left in nested repositories: a link stays a
 * link, pipes and sockets are left out, and a file without the right to read it gets that right first.
 */
export async function copyKept(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true, verbatimSymlinks: true, filter: canBeCopied });
}

async function canBeCopied(path: string): Promise<boolean> {
  const found = await lstat(path);
  if (found.isSymbolicLink()) return true;
  if (!found.isFile() && !found.isDirectory()) return false;
  const needed = found.isDirectory() ? 0o700 : constants.S_IRUSR;
  if ((found.mode & needed) !== needed) await chmod(path, (found.mode & 0o777) | needed);
  return true;
}
