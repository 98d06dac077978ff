import { randomUUID } from "node:crypto";
import { chmod, lstat, readFile, rename, rm, writeFile } from "node:fs/promises";

/**
 * Makes `path` a regular file with exactly this content and, for its owner, mode. What already is so stays untouched; anything else
 * there (also a link or a directory) is replaced in one step, so that a reader never sees a half-written file.
 */
export async function ensureExactFile(path: string, content: string, mode: number): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  if (
    found?.isFile() &&
    (found.mode & 0o700) === (mode & 0o700) &&
    (await readFile(path, "utf8")) === content
  ) {
    return false;
  }
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, content, { mode });
  await chmod(draft, mode);
  if (found?.isDirectory()) await rm(path, { recursive: true, force: true });
  await rename(draft, path);
  return true;
}
