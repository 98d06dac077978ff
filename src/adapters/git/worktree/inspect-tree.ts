import { bytesOf, type Directory } from "./directory.ts";
import { walk } from "./walk.ts";

const BLOCK_BYTES = 512;
const [SET_ID, RUNNABLE] = [0o6000, 0o111];
/** A script names its interpreter in the first lines. */
const FIRST_BYTES = 512;

interface Inspected {
  /** Of whole blocks. */
  readonly bytes: number;
  /** With directories. */
  readonly files: number;
  /** Why the tree cannot be used elsewhere: the rest of a sentence, about the first such file; null if it can. */
  readonly fault: string | null;
}

/**
 * Reads what a tree holds, without following links. It can be used elsewhere if it holds nothing but plain files,
 * directories and links, and no program that works only in the worktree at the path `home`, where it was made.
 */
export async function inspectTree(top: Directory, home: string): Promise<Inspected> {
  const start = top.pathOf("").length;
  let [blocks, files]: [number, number] = [0, 0];
  let fault: string | null = null;
  let reading = Promise.resolve();
  const blame = (directory: Directory, name: string, what: string) => {
    fault ??= `${JSON.stringify(directory.pathOf(name).slice(start))} ${what}`;
  };
  const readAfter = async (before: Promise<void>, directory: Directory, name: string) => {
    await before;
    if ((await directory.read(name, FIRST_BYTES))?.includes(`${home}/`))
      blame(directory, name, "works only at its own directory's whole path");
  };
  const count = (stats: { readonly blocks: number }) => {
    blocks += stats.blocks;
    files += 1;
  };
  await walk(top, {
    enter: ({ stats }) => count(stats),
    entry(directory, { name }) {
      const found = directory.lstat(name);
      if (found === null) return undefined;
      count(found);
      if (found.isSymbolicLink()) {
        if (isInside(directory.readlink(name), bytesOf(home)))
          blame(directory, name, "is a link to its own directory's whole path");
      } else if (!found.isFile()) blame(directory, name, "is a device, a socket or a pipe");
      else if ((found.mode & SET_ID) !== 0) blame(directory, name, "runs with its owner's rights");
      else if ((found.mode & RUNNABLE) !== 0) {
        // One at a time: a directory of programs would take all handles that a process may have.
        reading = readAfter(reading, directory, name);
        return reading;
      }
      return undefined;
    },
  });
  return { bytes: blocks * BLOCK_BYTES, files, fault };
}

const isInside = (path: string, home: string) => path === home || path.startsWith(`${home}/`);
