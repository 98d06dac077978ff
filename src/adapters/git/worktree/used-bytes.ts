import type { Counted } from "../../../domain/ports/runner.ts";
import { Directory, unlessGone } from "./directory.ts";
import { walk } from "./walk.ts";

const BLOCK_BYTES = 512;
/** What the owner needs for a directory to be counted. */
const READABLE = 0o500;

/**
 * Sums what directories with all below them take on the disk: blocks, so that sparse files count as what they hold, and a
 * file with several names once; of files each name. Ends behind `most` of them. Follows no link. What is missing takes
 * nothing; directories are made readable to be counted.
 */
export async function usedBytes(paths: readonly string[], most: number): Promise<Counted> {
  const seen = new Set<string>();
  const sum = { blocks: 0, files: 0 };
  for (const path of paths) {
    const top = unlessGone(() => Directory.open(path));
    if (top === undefined) continue;
    try {
      await add(top, { seen, sum, most });
    } catch (error) {
      if (!(error instanceof EnoughCounted)) throw error;
      break;
    } finally {
      top.close();
    }
  }
  return { bytes: sum.blocks * BLOCK_BYTES, files: sum.files };
}

class EnoughCounted extends Error {}

function add(
  top: Directory,
  {
    seen,
    sum,
    most,
  }: {
    readonly seen: Set<string>;
    readonly sum: { blocks: number; files: number };
    readonly most: number;
  },
): Promise<void> {
  const count = (blocks: number) => {
    sum.blocks += blocks;
    sum.files += 1;
    if (sum.files > most) throw new EnoughCounted();
  };
  return walk(top, {
    enter(directory) {
      directory.allow(READABLE);
      count(directory.stats.blocks);
    },
    entry(directory, { name }) {
      const found = directory.lstat(name);
      if (found === null) return;
      const { blocks, dev, ino, nlink } = found;
      const id = `${dev} ${ino}`;
      const again = nlink > 1 && seen.has(id);
      if (nlink > 1) seen.add(id);
      count(again ? 0 : blocks);
    },
  });
}
