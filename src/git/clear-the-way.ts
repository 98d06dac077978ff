import { chmod, lstat, readdir, rm } from "node:fs/promises";
import { below, withRoom } from "./long-path.ts";

const OWNER = 0o700;

/**
 * Removes named pipes from a directory, and gives its owner the right to read every directory in it. git opens what is
 * called `.gitignore` or lies where a repository could be, and waits for a pipe that nobody writes; what it cannot
 * read counts as deleted. No commit can hold a pipe. Follows no link. Returns the pipes' paths.
 */
export async function clearTheWay(directory: string): Promise<readonly string[]> {
  const removed: string[] = [];
  await clear(Buffer.from(directory), "", removed);
  return removed;
}

async function clear(directory: Buffer, shown: string, removed: string[]): Promise<void> {
  const found = await lstat(directory);
  if (!found.isDirectory()) return;
  if ((found.mode & OWNER) !== OWNER) await chmod(directory, (found.mode & 0o7777) | OWNER);
  await withRoom(directory, async (path) => {
    for (const entry of await readdir(path, { withFileTypes: true, encoding: "buffer" })) {
      if (!entry.isDirectory() && !entry.isFIFO()) continue;
      const child = below(path, entry.name);
      const name = shown === "" ? String(entry.name) : `${shown}/${String(entry.name)}`;
      // The agent's processes may be at work: what is gone meanwhile is in nobody's way.
      const act = entry.isDirectory()
        ? clear(child, name, removed)
        : rm(child).then(() => void removed.push(name));
      await act.catch(unlessGone);
    }
  });
}

function unlessGone(error: unknown): void {
  if (!(error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")))
    throw error;
}
