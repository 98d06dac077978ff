import type { ClosedIssues } from "../../domain/ports/closed-issues.ts";
import { findCases } from "./find-cases.ts";
import { checkCase, judge } from "./judge.ts";
import { prepareRepository, type TrialBench } from "./trial-bench.ts";
import type { TrialGround } from "./trial-ground.ts";

/** Characters of a diff that are kept for people to read. */
const KEPT = 200_000;

/** Returns the ground of a trial on a bench: the real repository, which is only read. */
export function benchGround(bench: TrialBench, github: ClosedIssues, branch: string): TrialGround {
  const { git, repository } = bench;
  return {
    async *candidates(known) {
      for await (const candidate of findCases({ git, github }, repository)) {
        const { issue } = candidate.kind === "case" ? candidate.case : candidate.leftOut;
        if (!known.has(issue)) yield candidate;
      }
    },
    check: (of) => checkCase(bench, of),
    prepare: (of, directory) => prepareRepository(bench, of, { directory, branch }),
    diff: async (of, result) => {
      if (result !== null)
        await git.takeWork({ directory: result.repository, head: result.commit, since: of.base });
      return git.patch({ from: of.base, to: result?.commit ?? of.change, limit: KEPT });
    },
    judge: (of, measure, { repository: directory, commit }) =>
      judge(bench, { case: of, measure, directory, head: commit }),
  };
}
