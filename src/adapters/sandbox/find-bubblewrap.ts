import { findProgram } from "./find-program.ts";

/** Absolute path of bwrap in a PATH, else where systems put it; null when it is not installed. */
export function findBubblewrap(path: string): string | null {
  return findProgram("bwrap", `${path}:/usr/bin:/usr/local/bin`) ?? null;
}
