import { accessSync, constants } from "node:fs";
import { join } from "node:path";

/** Absolute path of bwrap in a PATH, else where systems put it; null when it is not installed. */
export function findBubblewrap(path: string): string | null {
  const places = [...path.split(":").filter((place) => place.startsWith("/")), "/usr/bin", "/usr/local/bin"];
  return places.map((place) => join(place, "bwrap")).find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
