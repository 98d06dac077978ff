import { randomUUID } from "node:crypto";
import { basename, dirname } from "node:path";
import { bytesOf, Directory } from "./directory.ts";
import { removeEntry } from "./remove-tree.ts";

/**
 * Makes `path` a regular file with exactly this content and, for its owner, this mode. Leaves the file untouched if it
 * is already so. Replaces anything else (also a link or a directory) in one step, so that readers never see a partial
 * file.
 */
export async function ensureExactFile(path: string, content: string, mode: number): Promise<boolean> {
  const directory = Directory.open(`${dirname(path)}/.`);
  try {
    return await ensureIn(directory, bytesOf(basename(path)), content, mode);
  } finally {
    directory.close();
  }
}

async function ensureIn(directory: Directory, name: string, content: string, mode: number): Promise<boolean> {
  const wanted = Buffer.from(content);
  const found = directory.lstat(name);
  if (found?.isFile() && found.size === wanted.length && (found.mode & 0o700) === (mode & 0o700)) {
    const there = await directory.read(name, wanted.length + 1);
    if (there?.equals(wanted) === true) return false;
  }
  const draft = `${name}.${randomUUID()}`;
  await directory.write(draft, content, mode);
  if (found?.isDirectory()) await removeEntry(directory, name);
  directory.rename(draft, directory, name);
  return true;
}
