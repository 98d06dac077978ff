import { basename, dirname } from "node:path";
import { bytesOf, codeOf, Directory, unlessGone } from "./directory.ts";
import { visitPaths } from "./paths-below.ts";
import { type Visitor, walk } from "./walk.ts";

/** How often a tree is gone through in which processes still make files. */
const PASSES = 4;
const OWNER = 0o700;

/**
 * Deletes a directory with all it holds, or whatever else has this path, and follows no link below the path's parent; what
 * is missing is deleted already. Agents may leave directories that not even their owner may write, as Go's module cache is.
 */
export async function removeTree(path: string): Promise<void> {
  // The parent is the host's own, and may be reached by a link.
  const parent = unlessGone(() => Directory.open(`${dirname(path)}/.`));
  if (parent === undefined) return;
  try {
    await removeEntry(parent, bytesOf(basename(path)));
  } finally {
    parent.close();
  }
}

/** Deletes what lies at these paths below a directory; nothing where a parent is missing, or is a link. */
export async function removeBelow(top: string, paths: readonly Buffer[]): Promise<void> {
  await visitPaths(top, paths, (place) =>
    place === null ? undefined : removeEntry(place.directory, place.name),
  );
}

/** Does the same for an entry of a directory. Throws ENOTEMPTY where others make files faster than they are deleted. */
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

/** Others put something else there meanwhile; the next pass sees what. */
function isOvertaken(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR", "ELOOP", "EISDIR", "ENOTEMPTY", "EEXIST"].includes(codeOf(error));
}
