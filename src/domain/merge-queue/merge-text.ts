import { shortCommit } from "../messages/commit-link.ts";
import type { BroughtIn } from "../ports/worktrees.ts";
import type { TaskRecord } from "../tasks/task-record.ts";
import type { MergeQueueFacts, MergeQueueStep } from "./next-step.ts";
import type { LimitedRisk } from "./risk.ts";
import { riskAboveWords, riskWords } from "./risk-above.ts";

/** Both settings are needed. */
export const MERGES_ITSELF = "to let Flotilla do it, set `merge.auto: true` and `level: merge`";

/** Returns the request to a person to merge approved work, with what is known about it now. */
export function mergeRequest(
  facts: MergeQueueFacts,
  step: MergeQueueStep,
  verdicts: TaskRecord["verdicts"],
): { readonly reason: string; readonly change: string } {
  const number = `#${facts.pull.number}`;
  const by = verdicts.map(({ reviewer }) => reviewer).join(" and ");
  const approved = `${number} is approved${by === "" ? "" : ` by ${by}`} at ${shortCommit(facts.reviewCommit)}`;
  if (step.kind === "wait") return { reason: `${approved}, but ${step.why}`, change: step.change };
  if (facts.risk !== undefined)
    return {
      reason: `${approved}; ${riskAboveWords(facts.risk)}; ${checksWords(facts)}; ${baseWords(facts)}`,
      change: `a person with write permission reads the diff of ${number}, and merges it if it is right`,
    };
  const merges = facts.queue === undefined ? `merges ${number}` : `adds ${number} to GitHub's merge queue`;
  return {
    reason: `${approved}; ${checksWords(facts)}; ${baseWords(facts)}`,
    change: `a person with write permission ${merges}; ${MERGES_ITSELF}`,
  };
}

/** Returns the decision text for work that Flotilla merges, because its risk is not above the limit. */
export function lowRiskWords(pull: number | null, risk: LimitedRisk): string {
  return `Flotilla merges #${pull}: its risk is ${riskWords(risk)}, and up to ${risk.most} no person is needed`;
}

function checksWords({ required, checks }: MergeQueueFacts): string {
  if (required === 0) return "no check is required";
  if (checks.kind === "green") return "its required checks are green";
  const names = checks.kind === "flaky" ? checks.reruns.map(({ check }) => check) : checks.checks;
  return `its required checks are not green yet (${names.join(", ")})`;
}

function baseWords({ base, comparison }: MergeQueueFacts): string {
  return comparison.current
    ? `it contains all of \`${base}\``
    : `\`${base}\` has moved since, and a merge has no conflict`;
}

/** Returns the position of a task in its repository's merge queue; `place` counts from 1. */
export function mergeQueueText({ place, of }: { readonly place: number; readonly of: number }): string {
  return `place ${place} of ${of} in the merge queue`;
}

/** Returns the message to a coder whose worktree has the base branch merged in. */
export function broughtInText(base: string, { base: commit, conflicts }: BroughtIn): string {
  const merged = `the host merged \`${base}\` (${shortCommit(commit)}) into your worktree; it is not committed yet`;
  const next = "`commit` makes it one merge commit. Do not merge or rebase yourself";
  return conflicts.length === 0
    ? `${merged}. There was no conflict. Check that your work is still correct with it. ${next}`
    : `${merged}. Resolve the conflict markers in ${conflicts.join(", ")}, keeping what both sides meant. ${next}`;
}

/** Returns the decision text for work that waits for older work with which it would conflict. */
export function behindWords(issue: number): { readonly reason: string; readonly change: string } {
  return {
    reason: `it waits for #${issue}, which changes the same files and is ahead of it in the merge queue`,
    change: `nothing: it continues when #${issue} is merged`,
  };
}

/**
 * Returns the decision text for work that conflicts with its base while older work changes the same files: the conflict
 * is fixed once, after that merge.
 */
export function conflictBehindWords(
  reason: string,
  issue: number,
): { readonly reason: string; readonly change: string } {
  return {
    reason: `${reason}; #${issue}, which changes the same files, is ahead of it in the merge queue`,
    change: `merge or close the pull request of #${issue}: then the coder fixes this one`,
  };
}

/** How a coder takes over work whose merge failed and that nobody fixes. */
export const TAKE_OVER =
  "`/flotilla start [role]` has an agent fix it on the same branch and pull request, or fix it yourself";

/**
 * Returns the message to a coder whose approved work cannot be merged; `detail` = the output of its checks, empty where
 * there is none.
 */
export function couldNotBeMerged(reason: string, detail: string): string {
  const more = detail === "" ? "" : `\n${detail}`;
  return `Your approved work could not be merged: ${reason}. Fix that, commit, and report again as before.${more}`;
}

/** Returns the message to a coder that takes over another's work whose merge failed. */
export function takesOverText(reason: string, detail: string): string {
  const more = detail === "" ? "" : `\n${detail}`;
  return `You take over approved work whose merge failed: ${reason}. Your branch and its pull request have all of that work: keep it, fix what failed, commit, and report.${more}`;
}

/** Returns the decision text for work that is not first in the queue. */
export function turnWords(issue: number): { readonly reason: string; readonly change: string } {
  return {
    reason: `#${issue} is first in the merge queue, and its checks are running`,
    change: "nothing: Flotilla merges one at a time",
  };
}
