import { findProgram } from "./find-program.ts";

/** Returns the absolute path of bwrap: in a PATH, otherwise in the usual directories; null if it is not installed. */
export function findBubblewrap(path: string): string | null {
  return findProgram("bwrap", `${path}:/usr/bin:/usr/local/bin`) ?? null;
}
