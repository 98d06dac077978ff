import { relative } from "node:path";

/** True when `path` is `directory` or lies in it, by name alone. */
export function isInside(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way === "" || !(way === ".." || way.startsWith("../"));
}
