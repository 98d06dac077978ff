import type { NewBaseCommits } from "../../src/domain/ports/worktrees.ts";
import { changedBetween, type FakeCommits } from "./fake-commits.ts";

/** Returns what the tip of the base branch has that the work lacks. */
export function newsOf(
  commits: FakeCommits,
  { tip, work }: { readonly tip: string; readonly work: string },
): NewBaseCommits {
  const known = commits.history(work);
  const missing = [...commits.history(tip)].filter((one) => !known.has(one));
  const from = [...commits.history(tip)].find((one) => known.has(one)) ?? tip;
  const mine = changedBetween(commits.tree(from), commits.tree(work));
  const touches = (commit: string) =>
    changedBetween(commits.tree(commits.parents(commit)[0] ?? commit), commits.tree(commit)).some((path) =>
      mine.includes(path),
    );
  return {
    commits: missing.length,
    touching: missing
      .filter(touches)
      .slice(0, 10)
      .map((commit) => ({ commit, subject: "A change" })),
    // Conflicts concern whole files: those that both sides changed to different texts.
    conflicts: mine.filter(
      (path) =>
        commits.tree(tip).get(path) !== commits.tree(from).get(path) &&
        commits.tree(tip).get(path) !== commits.tree(work).get(path),
    ),
  };
}
