import { mergeCommits } from "../git/merge.ts";
import { countCommits } from "../git/read-commits.ts";
import { readDiff } from "../git/read-diff.ts";
import { isAncestor, mergeBase, readRef } from "../git/refs.ts";
import type { Mergeability } from "../render/pull.ts";
import type { Pull, PullRequest, Repository } from "../world/records.ts";
import { brokenRule } from "./rules.ts";

/** Compares a pull request's head with its base, in git. */
export async function readPullFacts(
  directory: string,
  headSha: string,
  baseSha: string,
): Promise<Pick<Pull, "mergeBaseSha" | "stats">> {
  const mergeBaseSha = (await mergeBase(directory, baseSha, headSha)) ?? baseSha;
  const [commits, files] = await Promise.all([
    countCommits(directory, `${baseSha}..${headSha}`),
    readDiff(directory, mergeBaseSha, headSha),
  ]);
  const sum = (field: "additions" | "deletions"): number =>
    files.reduce((total, file) => total + file[field], 0);
  const stats = {
    commits,
    additions: sum("additions"),
    deletions: sum("deletions"),
    changedFiles: files.length,
  };
  return { mergeBaseSha, stats };
}

/** Tries the merge in git, unless the head contains the base. */
export async function readMergeability(repository: Repository, issue: PullRequest): Promise<Mergeability> {
  const { pull } = issue;
  if (issue.state === "closed") return { mergeable: null, state: "unknown" };
  const base = await readRef(repository.directory, `refs/heads/${pull.baseRef}`);
  if (base === undefined) return { mergeable: null, state: "unknown" };
  const clean =
    (await isAncestor(repository.directory, base, pull.headSha)) ||
    (await mergeCommits(repository.directory, {
      base,
      head: pull.headSha,
      method: "merge",
      message: "test merge",
      author: { name: "GitHub", email: "noreply@github.com", at: 0 },
    })) !== undefined;
  if (!clean) return { mergeable: false, state: "dirty" };
  const broken = await brokenRule(repository, issue, base);
  return { mergeable: true, state: pull.draft ? "draft" : (broken?.state ?? "clean") };
}
