import { GitError } from "../../../domain/kernel/errors.ts";
import type { RepositoryRef } from "../../../domain/kernel/repository.ts";
import type { ServerSigning } from "../../../domain/ports/worktrees.ts";
import type { GitHost } from "../process/git-host.ts";
import { commitAt, isAncestor } from "./commits.ts";
import { fetchBranches, mirrorGit, PUSH, remoteGit } from "./mirror.ts";

interface Made {
  readonly commit: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
}

interface Wanted {
  readonly branch: string;
  /** What the branch is to hold, in the mirror. */
  readonly commit: string;
  readonly signing: ServerSigning;
  /** Called when everything else is ready; where it returns false, nothing is moved. */
  readonly mayMove?: (() => Promise<boolean>) | undefined;
}

type Signed =
  | { readonly kind: "signed"; readonly commit: string }
  /** The server's branch has other commits. */
  | { readonly kind: "foreign" }
  /** `mayMove` forbids it. */
  | { readonly kind: "held" };

/**
 * Has the server make the commits that it lacks again, one for each, and point the branch to the last, which is then
 * fetched. Commits that no branch
 * leads to are nobody's, so only the move of the branch has an effect: a second call after it finds the same commits there.
 */
export async function signOnServer(
  host: GitHost,
  repository: RepositoryRef,
  { branch, commit, signing, mayMove }: Wanted,
): Promise<Signed> {
  await fetchBranches(host, repository);
  const remote = `refs/remotes/origin/${branch}`;
  const theirs = await commitAt(host, repository, remote);
  if (theirs === commit) return { kind: "signed", commit: theirs };
  const ours = await unsentOf(host, repository, commit);
  if (theirs !== null && !(await isAncestor(host, repository, theirs, commit))) {
    if (!(await isSame(host, repository, { ours, theirs }))) return { kind: "foreign" };
    await removeBrought(host, repository, branch);
    return { kind: "signed", commit: theirs };
  }
  // Not on a branch yet: a rule for branches would refuse it there.
  await remoteGit(host, repository, {
    args: [...PUSH, `+${commit}:${broughtRef(branch)}`],
    purpose: `bring what ${branch} gets to the server`,
  });
  const signed = new Map<string, string>();
  const of = (one: string): string => signed.get(one) ?? one;
  for (const one of ours) {
    const { tree, message } = one;
    signed.set(one.commit, await signing.commit({ tree, message, parents: one.parents.map(of) }));
  }
  const head = of(commit);
  host.crashPoint("git:signed");
  if (mayMove !== undefined && !(await mayMove())) return { kind: "held" };
  if (!(await signing.moveBranch(branch, head))) return { kind: "foreign" };
  await fetchBranches(host, repository);
  await assertSameFiles(host, repository, { remote, head, commit });
  await removeBrought(host, repository, branch);
  return { kind: "signed", commit: head };
}

/** The server's ref that holds what it signs, until it has. Only we use it. */
function broughtRef(branch: string): string {
  return `refs/flotilla/signing/${branch}`;
}

async function removeBrought(host: GitHost, repository: RepositoryRef, branch: string): Promise<void> {
  await remoteGit(host, repository, {
    args: [...PUSH, `:${broughtRef(branch)}`],
    purpose: `take away what was brought for ${branch}`,
  });
}

/** Returns the commits that no branch of the server has, parents first. */
async function unsentOf(host: GitHost, repository: RepositoryRef, commit: string): Promise<readonly Made[]> {
  return read(host, repository, [commit, "--not", "--glob=refs/remotes/origin/*"]);
}

async function read(
  host: GitHost,
  repository: RepositoryRef,
  range: readonly string[],
): Promise<readonly Made[]> {
  const { stdout } = await mirrorGit(host, repository, {
    args: ["log", "--reverse", "--topo-order", "-z", "--format=%H%n%T%n%P%n%B", ...range],
    purpose: "read the commits to sign",
  });
  return stdout
    .split("\0")
    .filter((text) => text !== "")
    .map((text) => {
      const [made = "", tree = "", parents = "", ...message] = text.split("\n");
      return {
        commit: made,
        tree,
        parents: parents === "" ? [] : parents.split(" "),
        message: message.join("\n").trimEnd(),
      };
    });
}

/** Returns whether the server's branch holds just our commits, as it made them before a crash. */
async function isSame(
  host: GitHost,
  repository: RepositoryRef,
  { ours, theirs }: { readonly ours: readonly Made[]; readonly theirs: string },
): Promise<boolean> {
  const known = new Set(ours.map(({ commit }) => commit));
  const below = ours.flatMap(({ parents }) => parents.filter((parent) => !known.has(parent)));
  if (below.length === 0) return false;
  const there = await read(host, repository, [theirs, "--not", ...below]);
  const as = new Map(ours.map(({ commit }, index) => [commit, there[index]?.commit ?? commit]));
  return (
    there.length === ours.length &&
    ours.every(({ tree, parents, message }, index) => {
      const other = there[index];
      return (
        other?.tree === tree &&
        other.message === message &&
        other.parents.join() === parents.map((parent) => as.get(parent) ?? parent).join()
      );
    })
  );
}

/** Throws unless the branch has the signed commit, with exactly the files of ours. */
async function assertSameFiles(
  host: GitHost,
  repository: RepositoryRef,
  { remote, head, commit }: { readonly remote: string; readonly head: string; readonly commit: string },
): Promise<void> {
  const there = await commitAt(host, repository, remote);
  if (there === null || !(await isAncestor(host, repository, head, there)))
    throw new GitError("network", `the server does not show ${head} yet`, {
      consequence: "retry",
      uncertain: true,
      advice: "It is looked at again.",
    });
  const { stdout } = await mirrorGit(host, repository, {
    args: ["rev-parse", `${head}^{tree}`, `${commit}^{tree}`],
    purpose: "compare the signed commit with ours",
  });
  const [signed, own] = stdout.trim().split("\n");
  if (signed === own) return;
  throw new GitError("other_files", `the server signed ${head} with other files than those of ${commit}`, {
    consequence: "tell",
    advice: "Compare the two commits before anything else is pushed there.",
  });
}
