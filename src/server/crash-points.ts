import { writeSync } from "node:fs";
import { type AtCrashPoint, neverCrash } from "../domain/kernel/crash-points.ts";

/**
 * Creates the crash points of crash-safety tests: at the first of the named moments the process prints its name and
 * kills itself, as `kill -9` would. `named` is a comma-separated list from the environment; without it nothing happens.
 */
export function crashPoints(named: string | undefined): AtCrashPoint {
  if (named === undefined || named === "") return neverCrash;
  const points: ReadonlySet<string> = new Set(named.split(","));
  return (name) => {
    if (!points.has(name)) return;
    writeSync(2, `crash point ${name}\n`);
    process.kill(process.pid, "SIGKILL");
  };
}

/** Returns a short wait in ms for the same tests, which cannot wait for GitHub's lagging lists. Undefined by default. */
export function shortened(named: string | undefined): number | undefined {
  return named === undefined || !/^\d+$/.test(named) ? undefined : Number(named);
}
