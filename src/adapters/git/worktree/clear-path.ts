import { Directory, unlessGone } from "./directory.ts";
import { walk } from "./walk.ts";

const OWNER = 0o700;
/** Maximum number of pipes that are returned; more are removed, but not listed. */
const MOST_NAMED = 100;
/** git cannot open a path of 4,096 bytes or more, and each level needs at least two bytes. */
const DEEPEST = 2_048;

/**
 * Removes named pipes from a directory, and makes its directories readable by their owner: git would wait
 * forever for a pipe without a writer, and treat unreadable directories as deleted. Follows no links, and
 * ignores what is too deep for git. Returns the paths of the pipes.
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
