import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The slowest test files, slowest first. The others follow in vitest's own order. */
const LONG = [
  "journeys/crash.",
  "journeys/lost-writes.",
  "attacks/every",
  "journeys/disorder.",
  "journeys/",
  "simulation/",
  "adapters/git/create-worktrees.",
  "adapters/git/",
];

/** Runs the slowest files first: a slow file that starts last would keep one worker busy while the other is idle. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- this sorts no array, it is the method of the class above
    const usual = await super.sort(files);
    return usual.toSorted((one, other) => rank(one) - rank(other));
  }
}

function rank({ moduleId }: TestSpecification): number {
  const place = LONG.findIndex((part) => moduleId.includes(`/test/${part}`));
  return place === -1 ? LONG.length : place;
}
