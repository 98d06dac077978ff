import { isAncestor } from "../git/refs.ts";
import type { BranchRules, PullRequest, Repository } from "../world/records.ts";
import { statusesOf } from "./checks.ts";

export const NO_RULES: BranchRules = { checks: [], upToDate: false, approvals: 0 };

const GREEN: readonly (string | null)[] = ["success", "neutral", "skipped"];

/** Returns the rules of a branch. Only the default branch has rules. */
export function rulesOf(repository: Repository, branch: string): BranchRules {
  return branch === repository.defaultBranch ? repository.rules : NO_RULES;
}

/** Returns the rule that a merge of the pull request would break, in GitHub's words; undefined if it breaks none. */
export async function brokenRule(
  repository: Repository,
  { pull }: PullRequest,
  base: string,
): Promise<{ readonly state: "behind" | "blocked"; readonly message: string } | undefined> {
  const { checks, upToDate, approvals } = rulesOf(repository, pull.baseRef);
  const missing = checks.find((name) => !isGreen(repository, pull.headSha, name));
  if (missing !== undefined)
    return { state: "blocked", message: `Required status check "${missing}" is expected.` };
  const verdicts = pull.reviews.filter(({ state }) => state === "APPROVED" || state === "CHANGES_REQUESTED");
  const latest = new Map(verdicts.map(({ author, state }) => [author.id, state]));
  if ([...latest.values()].filter((state) => state === "APPROVED").length < approvals)
    return {
      state: "blocked",
      message: `At least ${approvals} approving review is required by reviewers with write access.`,
    };
  if (upToDate && !(await isAncestor(repository.directory, base, pull.headSha)))
    return { state: "behind", message: "Head branch is out of date. Review and try the merge again." };
  return undefined;
}

function isGreen(repository: Repository, sha: string, name: string): boolean {
  const run = repository.checkRuns.findLast((one) => one.headSha === sha && one.name === name);
  const status = statusesOf(repository, sha).find(({ context }) => context === name);
  if (run === undefined) return status?.state === "success";
  return run.status === "completed" && GREEN.includes(run.conclusion) && status?.state !== "failure";
}
