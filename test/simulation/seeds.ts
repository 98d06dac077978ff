import { type Run, type RunOptions, simulate } from "./simulate.ts";

/** Runs of the seeds 1 to `count`, all of them, or up to the first that fails. */
export async function runSeeds(
  count: number,
  {
    steps,
    until = () => false,
    ...options
  }: RunOptions & { readonly steps: number; readonly until?: (run: Run) => boolean },
): Promise<readonly Run[]> {
  const runs: Run[] = [];
  for (let seed = 1; seed <= count; seed += 1) {
    const run = await simulate(seed, steps, options);
    runs.push(run);
    if (until(run)) break;
  }
  return runs;
}

export const failed = ({ failure }: Run): boolean => failure !== null;
