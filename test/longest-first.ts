import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The slowest test files, slowest first, then those that start many processes: a worker grows with each file, and to start
 * a process takes a worker of 860 MB 5 ms, one of 280 MB 2 ms. What computes long without processes comes next, and the
 * others follow in vitest's own order.
 */
const FIRST = [
  "journeys/crash.",
  "journeys/lost-writes.",
  "attacks/every",
  "journeys/disorder.",
  "journeys/",
  "engine/truth/ways-on.",
  "simulation/",
  "adapters/git/create-worktrees.",
  "cli/demo.",
  "cli/doctor/",
  "adapters/git/",
  "demo/",
  "adapters/sandbox/",
  "adapters/runtimes/",
  "browser/",
  "cli/start-checks/",
  "cli/whole-output.",
  "engine/evidence/real-evidence.",
  "faults/broken-repository.",
  "harness.",
  "package/",
  "power-loss/",
  "engine/truth/",
  "conformance/000.",
  "engine/breakers/unreachable.",
  "engine/review/deadlock.",
  "cli/hostile-rows.",
  "engine/kernel/",
];

/**
 * Runs those files first: a slow file that starts last would keep one worker busy while the other is idle. Files that run
 * alone come before all: a shared worker ends where the next file in line cannot share it, and its modules are read again.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- this sorts no array, it is the method of the class above
    const usual = await super.sort(files);
    return usual.toSorted((one, other) => rank(one) - rank(other));
  }
}

function rank({ moduleId, project }: TestSpecification): number {
  if (project.config.isolate) return -1;
  const place = FIRST.findIndex((part) => moduleId.includes(`/test/${part}`));
  return place === -1 ? FIRST.length : place;
}
