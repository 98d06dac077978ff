import type { FakeGitHub } from "../fakes/github.ts";
import { BOT, type FakeRepository } from "../fakes/github-world.ts";
import type { FakeWorktrees } from "../fakes/worktrees.ts";
import { methodOf } from "./method-of.ts";

/** What GitHub merges is merged by git, too. What is pushed makes a branch that a pull request can be opened for, and moves the heads of open ones. */
export function joinGitAndGitHub(
  worktrees: FakeWorktrees,
  github: FakeGitHub,
  repository: FakeRepository,
): void {
  joinGit(worktrees, repository);
  const openPullRequest = methodOf(github, "openPullRequest");
  const mergePull = methodOf(github, "mergePull");
  github.mergePull = async (ref, number, how) => {
    const answer = await mergePull(ref, number, how);
    const pull = repository.pulls.get(number);
    if (answer.kind !== "merged" || pull === undefined) return answer;
    const commit = worktrees.serverSquash(pull.headRef, pull.baseRef) ?? answer.commit;
    repository.merges.set(number, { commit, by: BOT.id });
    return { kind: "merged", commit };
  };
  github.openPullRequest = async (ref, wanted) => {
    const pull = await openPullRequest(ref, wanted);
    const headSha = worktrees.serverHead(wanted.head) ?? pull.headSha;
    Object.assign(repository.pulls.get(pull.number) ?? {}, { headSha });
    return { ...pull, headSha };
  };
}

/** The part of it that each further machine needs. */
export function joinGit(worktrees: FakeWorktrees, repository: FakeRepository): void {
  const push = methodOf(worktrees, "push");
  const updateBranch = methodOf(worktrees, "updateBranch");
  worktrees.updateBranch = async (ref, how) => {
    const updated = await updateBranch(ref, how);
    if (updated.kind === "updated")
      for (const pull of repository.pulls.values())
        if (pull.headRef === how.branch) pull.headSha = updated.commit;
    return updated;
  };
  worktrees.push = async (ref, how) => {
    const pushed = await push(ref, how);
    if (ref.branch !== null) repository.branchesAhead.add(ref.branch);
    for (const pull of repository.pulls.values())
      if (pull.headRef === ref.branch) pull.headSha = pushed.commit;
    return pushed;
  };
}
