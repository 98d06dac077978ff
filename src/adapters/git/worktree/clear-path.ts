import { Directory, unlessGone } from "./directory.ts";
import { walk } from "./walk.ts";

const OWNER = 0o700;
/** More pipes are removed, but not named. */
const MOST_NAMED = 100;
/** git cannot open a path of 4,096 bytes or more, and each level takes at least two of them. */
const DEEPEST = 2_048;

/**
 * Removes named pipes from a directory, and gives its owner the right to read every directory in it. git opens what is
 * called `.gitignore` or lies where a repository could be, and waits for a pipe that nobody writes; what it cannot
 * read counts as deleted. No commit can hold a pipe. Follows no link, and leaves what is too deep for git.
 * Returns paths of pipes.
 */
export async function clearTheWay(path: string): Promise<readonly string[]> {
  const top = unlessGone(() => Directory.open(path));
  if (top === undefined) return [];
  const removed: string[] = [];
  try {
    await walk(
      top,
      {
        enter: (directory) => directory.allow(OWNER),
        entry(directory, entry) {
          if (!entry.isFIFO()) return;
          unlessGone(() => directory.unlinkNow(entry.name));
          if (removed.length < MOST_NAMED)
            removed.push(directory.pathOf(entry.name).slice(top.pathOf("").length));
        },
      },
      DEEPEST,
    );
  } finally {
    top.close();
  }
  return removed;
}
