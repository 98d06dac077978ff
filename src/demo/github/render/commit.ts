import type { GitCommit } from "../git/read-commits.ts";
import type { FileDiff } from "../git/read-diff.ts";
import type { Account, Repository } from "../world/records.ts";
import { fullNameOf, nodeId, type World } from "../world/world.ts";
import { renderAccountOrNull } from "./account.ts";

/** Returns the account with the e-mail address of a commit. */
function accountByEmail(world: World, email: string): Account | null {
  return [...world.accounts.values()].find((account) => account.email === email) ?? null;
}

/** Renders a `commit` of the repository API. */
export function renderCommit(
  world: World,
  repository: Repository,
  commit: GitCommit,
  files?: readonly FileDiff[],
): Record<string, unknown> {
  const api = `${world.api}/repos/${fullNameOf(repository)}`;
  const page = `${world.origin}/${fullNameOf(repository)}`;
  const additions = (files ?? []).reduce((sum, file) => sum + file.additions, 0);
  const deletions = (files ?? []).reduce((sum, file) => sum + file.deletions, 0);
  const detail = files && {
    stats: { total: additions + deletions, additions, deletions },
    files: files.map((file) => renderFile(world, repository, file, commit.sha)),
  };
  return {
    sha: commit.sha,
    node_id: nodeId("Commit", commit.sha),
    url: `${api}/commits/${commit.sha}`,
    html_url: `${page}/commit/${commit.sha}`,
    comments_url: `${api}/commits/${commit.sha}/comments`,
    commit: {
      url: `${api}/git/commits/${commit.sha}`,
      author: commit.author,
      committer: commit.committer,
      message: commit.message,
      tree: { sha: commit.tree, url: `${api}/git/trees/${commit.tree}` },
      comment_count: 0,
      verification: renderVerification(commit),
    },
    author: renderAccountOrNull(world, accountByEmail(world, commit.author.email)) ?? {},
    committer: renderAccountOrNull(world, accountByEmail(world, commit.committer.email)) ?? {},
    parents: commit.parents.map((sha) => ({
      sha,
      url: `${api}/commits/${sha}`,
      html_url: `${page}/commit/${sha}`,
    })),
    ...detail,
  };
}

/** GitHub signs at the moment of the commit, and everything that is signed here is by GitHub or by a known key. */
function renderVerification({ signature, committer }: GitCommit): Record<string, unknown> {
  return signature === undefined
    ? { verified: false, reason: "unsigned", signature: null, payload: null, verified_at: null }
    : { verified: true, reason: "valid", ...signature, verified_at: committer.date };
}

/** Renders a `diff-entry`: one changed file. `ref` is the commit in which it can be read. */
export function renderFile(
  world: World,
  repository: Repository,
  file: FileDiff,
  ref: string,
): Record<string, unknown> {
  const page = `${world.origin}/${fullNameOf(repository)}`;
  const path = file.path.split("/").map(encodeURIComponent).join("/");
  return {
    sha: file.blob,
    filename: file.path,
    status: file.status,
    additions: file.additions,
    deletions: file.deletions,
    changes: file.additions + file.deletions,
    blob_url: `${page}/blob/${ref}/${path}`,
    raw_url: `${page}/raw/${ref}/${path}`,
    contents_url: `${world.api}/repos/${fullNameOf(repository)}/contents/${path}?ref=${ref}`,
    ...(file.patch === undefined ? {} : { patch: file.patch }),
    ...(file.previousPath === undefined ? {} : { previous_filename: file.previousPath }),
  };
}

/** Renders a commit as the push webhook shows it. */
export function renderPushedCommit(
  world: World,
  repository: Repository,
  commit: GitCommit,
  files: readonly FileDiff[],
  distinct: boolean,
): Record<string, unknown> {
  const person = (who: GitCommit["author"]): Record<string, unknown> => {
    const account = accountByEmail(world, who.email);
    return { name: who.name, email: who.email, ...(account && { username: account.login }) };
  };
  const paths = (status: readonly string[]): string[] =>
    files.filter((file) => status.includes(file.status)).map((file) => file.path);
  return {
    id: commit.sha,
    tree_id: commit.tree,
    distinct,
    message: commit.message,
    timestamp: commit.committer.date,
    url: `${world.origin}/${fullNameOf(repository)}/commit/${commit.sha}`,
    author: person(commit.author),
    committer: person(commit.committer),
    added: paths(["added", "renamed"]),
    removed: [...paths(["removed"]), ...files.flatMap((file) => file.previousPath ?? [])],
    modified: paths(["modified"]),
  };
}
