import { setImmediate } from "node:timers/promises";
import { bytesOf, Directory, unlessGone } from "./directory.ts";

/** Levels that stay open from one path to the next. */
const MOST_OPEN = 64;
/** Paths visited at a time: some milliseconds of work, after which the event loop continues. */
const PATHS_AT_ONCE = 500;

/** An entry: the open directory that contains it, and its name there. */
export interface FoundEntry {
  readonly directory: Directory;
  readonly name: string;
}

/**
 * Calls `visit` for each path below a directory, in order. Does not follow a link in any component of a path. The entry
 * is null if a parent is missing or not a directory. Paths are relative, separated by slashes, without `.` and `..`.
 * Efficient for paths that share parents with the previous one.
 */
export async function visitPaths(
  top: string,
  paths: readonly Buffer[],
  visit: (place: FoundEntry | null, index: number) => void | Promise<void>,
): Promise<void> {
  const directory = Directory.open(top);
  const chain = new Chain(directory);
  try {
    for (const [index, path] of paths.entries()) {
      const act = visit(chain.find(bytesOf(path)), index);
      if (act !== undefined) await act;
      if (index % PATHS_AT_ONCE === PATHS_AT_ONCE - 1) await setImmediate();
    }
  } finally {
    chain.close();
    directory.close();
  }
}

/** Returns the sum of the apparent sizes of these paths. A link counts with its own size, a directory as 0. */
export async function sumSizes(top: string, paths: readonly Buffer[]): Promise<number> {
  let sum = 0;
  await visitPaths(top, paths, (place) => {
    const found = place?.directory.lstat(place.name);
    if (found && !found.isDirectory()) sum += found.size;
  });
  return sum;
}

/** The directories that led to the last path. The deepest ones are open. */
class Chain {
  readonly #top: Directory;
  readonly #levels: { readonly name: string; directory: Directory | null }[] = [];

  constructor(top: Directory) {
    this.#top = top;
  }

  find(path: string): FoundEntry | null {
    const parents = path.split("/");
    const name = parents.pop() ?? "";
    const shared = this.#levels.findIndex((level, at) => level.name !== parents[at]);
    this.close(shared === -1 ? parents.length : shared);
    if (this.#levels.at(-1)?.directory === null) this.close();
    for (const parent of parents.slice(this.#levels.length)) {
      const from = this.#deepest();
      const directory = unlessGone(() => from.directory(parent));
      if (directory === undefined) return null;
      this.#levels.push({ name: parent, directory });
      const far = this.#levels.at(-MOST_OPEN);
      far?.directory?.close();
      if (far !== undefined) far.directory = null;
    }
    return { directory: this.#deepest(), name };
  }

  /** Closes all except the first levels. */
  close(first = 0): void {
    for (const { directory } of this.#levels.splice(first)) directory?.close();
  }

  #deepest(): Directory {
    return this.#levels.at(-1)?.directory ?? this.#top;
  }
}
