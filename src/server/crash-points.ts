import { writeSync } from "node:fs";
import { type AtCrashPoint, neverCrash } from "../domain/kernel/crash-points.ts";

/**
 * For tests of crash safety: at the first of the named moments the process kills itself as `kill -9` would, after saying
 * which. `named` is a comma-separated list from the environment; without it nothing ever happens.
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

/** For the same tests, which cannot wait for lists that do not lag and answers that never come: so many ms. Undefined without it. */
export function shortened(named: string | undefined): number | undefined {
  return named === undefined || !/^\d+$/.test(named) ? undefined : Number(named);
}
