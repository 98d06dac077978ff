import { type MergeMethod, mergeCommits } from "../git/merge.ts";
import { readRef, updateRef } from "../git/refs.ts";
import { signCommit } from "../git/signatures.ts";
import { ApiError, notFound } from "../http/answer.ts";
import type { Account, PullRequest, Repository } from "../world/records.ts";
import { fullNameOf, type World } from "../world/world.ts";
import { markMerged } from "./mark-merged.ts";
import { afterPush } from "./pushed.ts";
import { brokenRule, rulesOf } from "./rules.ts";

/**
 * Merges a pull request with git. Throws 405 if it cannot be merged, 409 if the head is not the expected one. Returns
 * the id of the new commit on the base branch.
 */
export async function mergePull(
  world: World,
  repository: Repository,
  sender: Account,
  issue: PullRequest,
  wanted: {
    sha: string | undefined;
    method: MergeMethod;
    title: string | undefined;
    message: string | undefined;
  },
): Promise<string> {
  const { pull } = issue;
  const { directory } = repository;
  if (issue.state === "closed" || pull.draft) {
    throw new ApiError(405, pull.draft ? "Pull Request is still a draft" : "Pull Request is not mergeable");
  }
  if (wanted.sha !== undefined && wanted.sha !== pull.headSha) {
    throw new ApiError(409, "Head branch was modified. Review and try the merge again.");
  }
  const ref = `refs/heads/${pull.baseRef}`;
  const base = await readRef(directory, ref);
  if (base === undefined) throw notFound();
  if (rulesOf(repository, pull.baseRef).mergeQueue)
    throw new ApiError(
      405,
      "Repository rule violations found\n\nChanges must be made through the merge queue",
    );
  const broken = await brokenRule(repository, issue, base, wanted.method);
  if (broken !== undefined) throw new ApiError(405, `Repository rule violations found\n\n${broken.message}`);
  const number = issue.number;
  const squash = wanted.method === "squash";
  const title =
    wanted.title ??
    (squash
      ? `${issue.title} (#${number})`
      : `Merge pull request #${number} from ${fullNameOf(repository).split("/")[0]}/${pull.headRef}`);
  const text = wanted.message ?? (squash ? "" : issue.title);
  const merged = await mergeCommits(directory, {
    base,
    head: pull.headSha,
    method: wanted.method,
    message: text === "" ? title : `${title}\n\n${text}`,
    author: { name: sender.name, email: sender.email, at: world.nowMs() },
  });
  if (merged === undefined) throw new ApiError(405, "Pull Request is not mergeable");
  const after = wanted.method === "rebase" ? merged : await signCommit(directory, merged);
  await updateRef(directory, ref, after, base);
  markMerged(world, repository, sender, issue, after);
  await afterPush(world, repository, sender, [{ ref, before: base, after }]);
  return after;
}
