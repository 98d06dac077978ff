import { type Run, type Sabotage, simulate } from "./simulate.ts";

/** Runs of the seeds 1 to `count`, all of them, or up to the first that fails. */
export async function runSeeds(
  count: number,
  {
    steps,
    sabotage,
    until = () => false,
  }: { steps: number; sabotage?: Sabotage; until?: (run: Run) => boolean },
): Promise<readonly Run[]> {
  const runs: Run[] = [];
  for (let seed = 1; seed <= count; seed += 1) {
    const run = await simulate(seed, steps, sabotage);
    runs.push(run);
    if (until(run)) break;
  }
  return runs;
}

export const failed = ({ failure }: Run): boolean => failure !== null;
