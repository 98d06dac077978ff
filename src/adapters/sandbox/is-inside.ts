import { relative } from "node:path";

/** Returns whether `path` is `directory` or below it, comparing only names. */
export function isInside(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way === "" || !(way === ".." || way.startsWith("../"));
}
