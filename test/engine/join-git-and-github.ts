import type { FakeGitHub } from "../fakes/github.ts";
import type { FakeRepository } from "../fakes/github-world.ts";
import type { FakeWorktrees } from "../fakes/worktrees.ts";
import { methodOf } from "./method-of.ts";

/** What is pushed makes a branch that a pull request can be opened for, and moves the heads of open ones. */
export function joinGitAndGitHub(
  worktrees: FakeWorktrees,
  github: FakeGitHub,
  repository: FakeRepository,
): void {
  const push = methodOf(worktrees, "push");
  const openPullRequest = methodOf(github, "openPullRequest");
  worktrees.push = async (ref) => {
    const pushed = await push(ref);
    if (ref.branch !== null) repository.branchesAhead.add(ref.branch);
    for (const pull of repository.pulls.values())
      if (pull.headRef === ref.branch) pull.headSha = pushed.commit;
    return pushed;
  };
  github.openPullRequest = async (ref, wanted) => {
    const pull = await openPullRequest(ref, wanted);
    return { ...pull, headSha: worktrees.serverHead(wanted.head) ?? pull.headSha };
  };
}
