import { GitError } from "../../../domain/kernel/errors.ts";
import type { RepositoryRef } from "../../../domain/kernel/repository.ts";
import type { Integration, Updated } from "../../../domain/ports/worktrees.ts";
import { fetchedTip } from "../mirror/base-tip.ts";
import { commitAt, isAncestor, setRef, writeCommit } from "../mirror/commits.ts";
import { PUSH, remoteGit } from "../mirror/mirror.ts";
import { signOnServer } from "../mirror/sign-on-server.ts";
import type { GitHost } from "../process/git-host.ts";
import { assertCommit, assertSafeBranch } from "../process/safe-names.ts";
import { mergedTree } from "./merged-tree.ts";
import { isSameWork } from "./same-work.ts";

/**
 * Implements the port's `updateBranch`. Only the push has an effect: a crash before it leaves nothing, and a crash
 * after it is detected by the branch's head.
 */
export async function updateBranch(
  host: GitHost,
  repository: RepositoryRef,
  { branch, base, expected, author, mayPush, signing }: Parameters<Integration["updateBranch"]>[1],
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
  if (conflicts.length > 0) return { kind: "conflict", base: tip, files: conflicts };
  const message = `Merge branch '${base}' into ${branch}`;
  const commit = await writeCommit(host, { repository }, { tree, parents: [head, tip], message, author });
  if (signing !== undefined) {
    const signed = await signOnServer(host, repository, { branch, commit, signing, mayMove: mayPush });
    if (signed.kind === "held") return signed;
    return signed.kind === "foreign"
      ? { kind: "moved", head: null }
      : { kind: "updated", commit: signed.commit };
  }
  // The push then uses this token, and nothing is fetched in between.
  await host.token(repository);
  if (mayPush !== undefined && !(await mayPush())) return { kind: "held" };
  if (!(await pushed(host, repository, { commit, branch }))) return { kind: "moved", head: null };
  await setRef(host, repository, remote, commit);
  return { kind: "updated", commit };
}

/** Returns false if somebody else has pushed in the meantime. */
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
