import { chmod, readdir, rm, rmdir } from "node:fs/promises";
import { below, withRoom } from "./long-path.ts";

/**
 * Deletes a directory with all it holds; one that is missing is no news. Agents and commands may leave directories that
 * not even their owner may write, as Go's module cache is, and paths that are longer than a system call takes.
 */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch {
    await removeByHand(Buffer.from(path));
  }
}

async function removeByHand(directory: Buffer): Promise<void> {
  await chmod(directory, 0o700);
  await withRoom(directory, async (path) => {
    for (const entry of await readdir(path, { withFileTypes: true, encoding: "buffer" })) {
      const child = below(path, entry.name);
      await (entry.isDirectory() ? removeByHand(child) : rm(child, { force: true }));
    }
  });
  await rmdir(directory);
}
