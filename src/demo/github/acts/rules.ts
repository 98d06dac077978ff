import type { MergeMethod } from "../git/merge.ts";
import { isAncestor } from "../git/refs.ts";
import { refusePushes, unsignedIn } from "../git/signatures.ts";
import { ApiError } from "../http/answer.ts";
import type { BranchRules, PullRequest, Repository } from "../world/records.ts";
import { statusesOf } from "./statuses.ts";

export const NO_RULES: BranchRules = {
  checks: [],
  upToDate: false,
  approvals: 0,
  signatures: null,
  mergeQueue: false,
};

const UNSIGNED = "Commits must have verified signatures.";

const GREEN: readonly (string | null)[] = ["success", "neutral", "skipped"];

/** Returns the rules of a branch. Other branches than the default one have that of signatures, where it is for every branch. */
export function rulesOf(repository: Repository, branch: string): BranchRules {
  const { rules, defaultBranch } = repository;
  if (branch === defaultBranch) return rules;
  return rules.signatures === "every" ? { ...NO_RULES, signatures: "every" } : NO_RULES;
}

/** Replaces the rules, also those by which git refuses a push. */
export async function protect(repository: Repository, rules: Partial<BranchRules>): Promise<void> {
  repository.rules = { ...NO_RULES, ...rules };
  const { signatures } = repository.rules;
  const branch = signatures === "every" ? "*" : signatures && repository.defaultBranch;
  await refusePushes(repository.directory, branch);
}

/** Throws 422 where the ref is a branch of which a rule takes only signed commits, and one of the new ones is not. */
export async function demandSigned(repository: Repository, ref: string, after: string): Promise<void> {
  const [, branch] = /^refs\/heads\/(.+)$/.exec(ref) ?? [];
  if (branch === undefined || rulesOf(repository, branch).signatures === null) return;
  if ((await unsignedIn(repository.directory, [after, "--not", "--branches"])) !== undefined)
    throw new ApiError(422, `Repository rule violations found\n\n${UNSIGNED}\n\n`);
}

/** Returns the rule that a merge of the pull request would break, in GitHub's words; undefined if it breaks none. */
export async function brokenRule(
  repository: Repository,
  { pull }: PullRequest,
  base: string,
  method?: MergeMethod,
): Promise<{ readonly state: "behind" | "blocked"; readonly message: string } | undefined> {
  const { checks, upToDate, approvals, signatures } = rulesOf(repository, pull.baseRef);
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
  // GitHub signs a merge and a squash, and not the commits of a rebase.
  const unsigned =
    signatures !== null && (await unsignedIn(repository.directory, [`${base}..${pull.headSha}`]));
  if (unsigned || (signatures !== null && method === "rebase"))
    return { state: "blocked", message: UNSIGNED };
  if (upToDate && !(await isAncestor(repository.directory, base, pull.headSha)))
    return { state: "behind", message: "Head branch is out of date. Review and try the merge again." };
  return undefined;
}

/** Returns whether the check has ended on that commit without success. */
export function isRed(repository: Repository, sha: string, name: string): boolean {
  const run = repository.checkRuns.findLast((one) => one.headSha === sha && one.name === name);
  const status = statusesOf(repository, sha).find(({ context }) => context === name);
  const isFailed = run?.status === "completed" && !GREEN.includes(run.conclusion);
  return isFailed || status?.state === "failure" || status?.state === "error";
}

export function isGreen(repository: Repository, sha: string, name: string): boolean {
  const run = repository.checkRuns.findLast((one) => one.headSha === sha && one.name === name);
  const status = statusesOf(repository, sha).find(({ context }) => context === name);
  if (run === undefined) return status?.state === "success";
  return run.status === "completed" && GREEN.includes(run.conclusion) && status?.state !== "failure";
}
