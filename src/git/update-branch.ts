import { GitError } from "../core/errors.ts";
import type { Candidate, Integration, Standing, Updated } from "../core/ports/integration.ts";
import type { RepositoryRef } from "../core/repository.ts";
import { commitAt, isAncestor, setRef, writeCommit } from "./commits.ts";
import type { GitHost } from "./git-host.ts";
import { changedSince } from "./inspect.ts";
import { mergedTree } from "./merged-tree.ts";
import { fetchBranches, mirrorGit, openMirror, remoteGit } from "./mirror.ts";
import { PUSH } from "./push.ts";
import { assertCommit, assertSafeBranch } from "./safe-names.ts";

/** As many clean merges of the base on top of an approved commit are looked through. */
const MOST_UPDATES = 50;

/** How branches stand to their base. All in the mirror, of commits alone, after one fetch. */
export async function readStandings(
  host: GitHost,
  repository: RepositoryRef,
  base: string,
  candidates: readonly Candidate[],
): Promise<readonly Standing[]> {
  const tip = await fetchedTip(host, repository, base);
  const found: Standing[] = [];
  for (const candidate of candidates) found.push(await standingOf(host, repository, tip, candidate));
  return found;
}

async function standingOf(
  host: GitHost,
  repository: RepositoryRef,
  base: string,
  { branch, approved }: Candidate,
): Promise<Standing> {
  assertSafeBranch(branch);
  assertCommit(approved);
  const head = await commitAt(host, repository, `refs/remotes/origin/${branch}`);
  if (head === null)
    return { head, base, approved: false, current: false, files: [], shared: [], conflicts: [] };
  const isApproved = await isSameWork(host, repository, { approved, head, base });
  const files = await changedSince(host, { repository }, { tip: base, commit: head });
  if (await isAncestor(host, repository, base, head))
    return { head, base, approved: isApproved, current: true, files, shared: [], conflicts: [] };
  const theirs = new Set(await changedSince(host, { repository }, { tip: head, commit: base }));
  const { conflicts } = await mergedTree(host, repository, head, base);
  const shared = files.filter((file) => theirs.has(file));
  return { head, base, approved: isApproved, current: false, files, shared, conflicts };
}

/** The port's `updateBranch`. The push is what counts: a crash before it leaves nothing, one after it is seen at the head. */
export async function updateBranch(
  host: GitHost,
  repository: RepositoryRef,
  { branch, base, expected, author }: Parameters<Integration["updateBranch"]>[1],
): Promise<Updated> {
  assertSafeBranch(branch);
  assertCommit(expected);
  const tip = await fetchedTip(host, repository, base);
  const remote = `refs/remotes/origin/${branch}`;
  const head = await commitAt(host, repository, remote);
  if (head !== expected) {
    const done =
      head !== null && (await isSameWork(host, repository, { approved: expected, head, base: tip }));
    return done ? { kind: "updated", commit: head } : { kind: "moved", head };
  }
  if (await isAncestor(host, repository, tip, head)) return { kind: "current" };
  const { tree, conflicts } = await mergedTree(host, repository, head, tip);
  if (conflicts.length > 0) return { kind: "conflict", files: conflicts };
  const message = `Merge branch '${base}' into ${branch}`;
  const commit = await writeCommit(host, { repository }, { tree, parents: [head, tip], message, author });
  if (!(await pushed(host, repository, { commit, branch }))) return { kind: "moved", head: null };
  await setRef(host, repository, remote, commit);
  return { kind: "updated", commit };
}

/** False when somebody else has pushed meanwhile. */
async function pushed(
  host: GitHost,
  repository: RepositoryRef,
  { commit, branch }: { readonly commit: string; readonly branch: string },
): Promise<boolean> {
  try {
    const args = [...PUSH, `${commit}:refs/heads/${branch}`];
    await remoteGit(host, repository, { args, purpose: `push ${branch} with its base merged` });
    return true;
  } catch (error) {
    if (error instanceof GitError && error.code === "foreign_commits") return false;
    throw error;
  }
}

/**
 * True when `head` is the approved commit with nothing on it but merges of the base's commits, each exactly what git makes
 * of its two sides: whoever made them added nothing, so the approval is good for it.
 */
async function isSameWork(
  host: GitHost,
  repository: RepositoryRef,
  { approved, head, base }: { readonly approved: string; readonly head: string; readonly base: string },
): Promise<boolean> {
  let at = head;
  for (let updates = 0; updates < MOST_UPDATES && at !== approved; updates += 1) {
    const { stdout } = await mirrorGit(host, repository, {
      args: ["show", "--no-patch", "--format=%T %P", at],
      purpose: "read a merge commit",
    });
    const [tree, work, merged, ...more] = stdout.trim().split(" ");
    if (work === undefined || merged === undefined || more.length > 0) return false;
    if (!(await isAncestor(host, repository, merged, base))) return false;
    const made = await mergedTree(host, repository, work, merged);
    if (made.conflicts.length > 0 || made.tree !== tree) return false;
    at = work;
  }
  return at === approved;
}

/** The head of the base branch, after a fetch. */
export async function fetchedTip(host: GitHost, repository: RepositoryRef, base: string): Promise<string> {
  assertSafeBranch(base);
  await openMirror(host, repository);
  await fetchBranches(host, repository);
  const tip = await commitAt(host, repository, `refs/remotes/origin/${base}`);
  if (tip !== null) return tip;
  throw new GitError("base_not_found", `there is no branch ${base} on the server`, {
    consequence: "tell",
    advice: "Bring the base branch back, or change the repository's default branch.",
  });
}
