import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What takes longest, the longest first; the other files come after them in vitest's own order. */
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

/** One long file that begins last would keep one worker waiting for the other. */
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
