import { accessSync, constants } from "node:fs";
import { join } from "node:path";

/**
 * Returns the absolute path of the first program with that name in the absolute directories of a PATH; undefined if
 * there is none.
 */
export function findProgram(name: string, path: string): string | undefined {
  const directories = path.split(":").filter((directory) => directory.startsWith("/"));
  return directories.map((directory) => join(directory, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
