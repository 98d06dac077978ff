import type { Counted } from "../../../domain/ports/runner.ts";
import { Directory, unlessGone } from "./directory.ts";
import { walk } from "./walk.ts";

const BLOCK_BYTES = 512;
/** Permissions that the owner needs so that a directory can be counted. */
const READABLE = 0o500;

/**
 * Sums up the disk usage of directories, including everything below them: in blocks, so that sparse files count with
 * their real size; a file with several names counts once. Stops after `most` files, counting each name. Follows no
 * links. Missing directories count as 0; unreadable ones are made readable.
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
