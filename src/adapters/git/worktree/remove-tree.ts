import { basename, dirname } from "node:path";
import { bytesOf, codeOf, Directory, unlessGone } from "./directory.ts";
import { visitPaths } from "./paths-below.ts";
import { type Visitor, walk } from "./walk.ts";

/** Maximum number of passes through a tree in which processes still create files. */
const PASSES = 4;
const OWNER = 0o700;

/**
 * Deletes a directory with everything in it, or any other entry with this path. Follows no link below the path's
 * parent. Does nothing if it is missing. Handles directories that their owner may not write to, such as Go's module
 * cache.
 */
export async function removeTree(path: string): Promise<void> {
  // The parent belongs to the host and may be reached by a link.
  const parent = unlessGone(() => Directory.open(`${dirname(path)}/.`));
  if (parent === undefined) return;
  try {
    await removeEntry(parent, bytesOf(basename(path)));
  } finally {
    parent.close();
  }
}

/** Deletes the entries at these paths below a directory. Ignores paths whose parent is missing or a link. */
export async function removeBelow(top: string, paths: readonly Buffer[]): Promise<void> {
  await visitPaths(top, paths, (place) =>
    place === null ? undefined : removeEntry(place.directory, place.name),
  );
}

/** Deletes an entry of a directory. Throws ENOTEMPTY if other processes create files faster than it can delete them. */
export async function removeEntry(parent: Directory, name: string): Promise<void> {
  for (let pass = 1; ; pass += 1) {
    try {
      return await removeOnce(parent, name);
    } catch (error) {
      if (!isOvertaken(error) || pass === PASSES) throw error;
    }
  }
}

async function removeOnce(parent: Directory, name: string): Promise<void> {
  const found = parent.lstat(name);
  if (found === null) return;
  if (!found.isDirectory()) return parent.unlink(name);
  const directory = parent.directory(name);
  try {
    await walk(directory, REMOVING);
  } finally {
    directory.close();
  }
  parent.rmdir(name);
}

const REMOVING: Visitor = {
  enter: (directory) => directory.allow(OWNER),
  entry: (directory, { name }) => directory.unlink(name).catch(unlessOvertaken),
  leave: (parent, name) => {
    try {
      parent.rmdir(name);
    } catch (error) {
      unlessOvertaken(error);
    }
  },
};

function unlessOvertaken(error: unknown): void {
  if (!isOvertaken(error)) throw error;
}

/** Returns whether other processes replaced the entry in the meantime; the next pass handles the new one. */
function isOvertaken(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR", "ELOOP", "EISDIR", "ENOTEMPTY", "EEXIST"].includes(codeOf(error));
}
