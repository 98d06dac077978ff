import { chmod, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/**
 * Deletes a directory with all it holds; one that is missing is no news. Agents and commands may leave directories that
 * not even their owner may write, as Go's module cache is.
 */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch {
    await makeWritable(path);
    await rm(path, { recursive: true, force: true });
  }
}

async function makeWritable(path: string): Promise<void> {
  await chmod(path, 0o700);
  for (const entry of await readdir(path, { withFileTypes: true }))
    if (entry.isDirectory()) await makeWritable(join(path, entry.name));
}
