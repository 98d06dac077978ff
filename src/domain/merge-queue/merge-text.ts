import type { BroughtIn } from "../ports/worktrees.ts";
import type { TaskRecord } from "../tasks/task-record.ts";
import type { MergeQueueFacts, MergeQueueStep } from "./next-step.ts";

/** Both are needed. */
export const MERGES_ITSELF = "`merge.auto` with `level: merge` lets Flotilla do it";

/** What a person is asked who is to merge approved work, with what is known of it now. */
export function mergeRequest(
  facts: MergeQueueFacts,
  step: MergeQueueStep,
  verdicts: TaskRecord["verdicts"],
): { readonly reason: string; readonly change: string } {
  const number = `#${facts.pull.number}`;
  const by = verdicts.map(({ reviewer }) => reviewer).join(" and ");
  const approved = `${number} is approved${by === "" ? "" : ` by ${by}`} at \`${facts.reviewCommit.slice(0, 7)}\``;
  if (step.kind === "wait") return { reason: `${approved}, but ${step.why}`, change: step.change };
  return {
    reason: `${approved}; ${checksWords(facts)}; ${baseWords(facts)}`,
    change: `a person with write permission merges ${number}; ${MERGES_ITSELF}`,
  };
}

function checksWords({ required, checks }: MergeQueueFacts): string {
  if (required === 0) return "no check is required";
  if (checks.kind === "green") return "its required checks are green";
  const names = checks.kind === "flaky" ? checks.reruns.map(({ check }) => check) : checks.checks;
  return `its required checks are not green yet (${names.join(", ")})`;
}

function baseWords({ base, standing }: MergeQueueFacts): string {
  return standing.current
    ? `it contains all of \`${base}\``
    : `\`${base}\` has moved since, and a merge has no conflict`;
}

/** Where a task stands in its repository's train; `place` counts from 1. */
export function mergeQueueText({ place, of }: { readonly place: number; readonly of: number }): string {
  return `place ${place} of ${of} in the merge train`;
}

/** What a coder is told in whose worktree the base branch was merged. */
export function broughtInText(base: string, { base: commit, conflicts }: BroughtIn): string {
  const merged = `the host merged \`${base}\` (${commit.slice(0, 7)}) into your worktree; it is not committed yet`;
  const next = "`commit` makes it one merge commit. Do not merge or rebase yourself";
  return conflicts.length === 0
    ? `${merged}. There was no conflict. Check that your work is still correct with it. ${next}`
    : `${merged}. Resolve the conflict markers in ${conflicts.join(", ")}, keeping what both sides meant. ${next}`;
}

/** What is said of one that waits for an older one with which it would conflict. */
export function behindWords(issue: number): { readonly reason: string; readonly change: string } {
  return {
    reason: `it waits for #${issue}, which changes the same files and is ahead of it in the merge train`,
    change: `nothing: it continues when #${issue} is merged`,
  };
}

/** What is said of one that conflicts with its base where an older one changes the same files: it is fixed once. */
export function conflictBehindWords(
  reason: string,
  issue: number,
): { readonly reason: string; readonly change: string } {
  return {
    reason: `${reason}; #${issue}, which changes the same files, is ahead of it in the merge train`,
    change: `merge or close the pull request of #${issue}: then the coder fixes this one`,
  };
}

/** How a coder takes over work whose merge failed and that nobody fixes. */
export const TAKE_OVER =
  "`/flotilla start [role]` has an agent fix it on the same branch and pull request, or fix it yourself";

/** What a coder is told whose approved work cannot be merged; `detail` = what its checks say, empty where there is no more. */
export function couldNotBeMerged(reason: string, detail: string): string {
  const more = detail === "" ? "" : `\n${detail}`;
  return `Your approved work could not be merged: ${reason}. Fix that, commit, and report again as before.${more}`;
}

/** What a coder is told that begins on work of another's whose merge failed. */
export function takesOverText(reason: string, detail: string): string {
  const more = detail === "" ? "" : `\n${detail}`;
  return `You take over approved work whose merge failed: ${reason}. Your branch and its pull request have all of that work: keep it, fix what failed, commit, and report.${more}`;
}

/** What is said of one whose turn has not come. */
export function turnWords(issue: number): { readonly reason: string; readonly change: string } {
  return {
    reason: `#${issue} is first in the merge train, and its checks are running`,
    change: "nothing: Flotilla merges one at a time",
  };
}
