import type { Account, PullRequest, Repository } from "../world/records.ts";
import { fullNameOf, now, type World } from "../world/world.ts";
import { closingWords } from "./closing-words.ts";
import { emitIssue } from "./emit.ts";
import { closeIssue } from "./issues.ts";
import { remember } from "./remember.ts";

/**
 * Records that the base branch contains the pull request: closes it as merged, and closes the issues that its body
 * names.
 */
export function markMerged(
  world: World,
  repository: Repository,
  sender: Account,
  issue: PullRequest,
  mergeCommitSha: string,
): void {
  const at = now(world);
  Object.assign(issue.pull, { mergedAt: at, mergedBy: sender, mergeCommitSha });
  Object.assign(issue, { state: "closed", closedAt: at, updatedAt: at, closedBy: sender });
  remember(world, issue, sender, "merged");
  emitIssue(world, repository, issue, sender, "closed");
  if (issue.pull.baseRef !== repository.defaultBranch) return;
  for (const number of closingWords(issue.body ?? "", fullNameOf(repository))) {
    const named = repository.issues.get(number);
    if (named?.pull === null) closeIssue(world, repository, sender, named, "completed", issue.number);
  }
}
