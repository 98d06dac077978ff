import type { ClosedIssue, ClosingPull } from "../ports/closed-issues.ts";
import { asItWas } from "./as-it-was.ts";
import { holdsFix, namesFix } from "./names-fix.ts";
import { testPaths } from "./overlay.ts";
import type { Candidate, LeftOutReason } from "./trial-case.ts";

/** A merged pull request, with what the base branch got of it. */
export type MergedPull = ClosingPull & { readonly merge: string };

/** Returns the pull request that solved an issue, or why it cannot be used. Asks nobody. */
export function pullOf(issue: ClosedIssue): MergedPull | Candidate {
  const { pull } = issue;
  if (pull === null || pull.merge === null)
    return leftOut(issue, "no_pull", "No merged pull request closed it.");
  if (pull.closes > 1)
    return leftOut(
      issue,
      "several_issues",
      `#${pull.number} closed ${pull.closes} issues, so its tests ask for more than this one says.`,
    );
  if (pull.createdAt <= issue.body.createdAt)
    return leftOut(issue, "opened_later", `It was opened after #${pull.number}, which solved it.`);
  return { ...pull, merge: pull.merge };
}

/** What git tells of the pull request. */
export interface FixHistory {
  readonly base: string;
  readonly commits: readonly { readonly id: string; readonly at: number }[];
  /** Paths that it changed: of regular files, or deleted. */
  readonly paths: readonly string[];
  /** All paths before it. */
  readonly before: readonly string[];
  readonly patch: string;
}

/** Returns the case that an issue and its pull request make, or why they make none. `history` null: its commits are lost. */
export function caseOf(issue: ClosedIssue, pull: MergedPull, history: FixHistory | null): Candidate {
  const which = `#${pull.number}`;
  if (history === null)
    return leftOut(issue, "no_history", `The commits of ${which} are not in the repository any more.`);
  const { base, commits, paths, before, patch } = history;
  const tests = testPaths(paths, before);
  if (tests.length === 0) return leftOut(issue, "no_tests", `${which} neither added nor changed a test.`);
  if (tests.length === paths.length)
    return leftOut(issue, "only_tests", `${which} changed nothing but tests.`);
  const began = Math.min(pull.createdAt, ...commits.map(({ at }) => at));
  if (began <= issue.body.createdAt)
    return leftOut(
      issue,
      "opened_later",
      `It was opened after the first commit of ${which}, which solved it.`,
    );
  const text = asItWas(issue, began);
  if (text === null)
    return leftOut(
      issue,
      "edited_later",
      `Its text was edited after the work of ${which} began, and GitHub does not tell how it read before.`,
    );
  const ids = [pull.head, pull.merge, ...commits.map(({ id }) => id)];
  const name = namesFix(text, { pull: pull.number, branch: pull.branch, commits: ids });
  if (name !== null) return leftOut(issue, "text_names_fix", `Its text names the real change: ${name}.`);
  if (holdsFix(text, patch, tests))
    return leftOut(issue, "text_holds_fix", `Its text has the lines that ${which} added.`);
  const { number, author } = issue;
  return {
    kind: "case",
    case: { issue: number, ...text, author, pull: pull.number, base, change: pull.head, tests },
  };
}

const leftOut = (issue: ClosedIssue, reason: LeftOutReason, detail: string): Candidate => ({
  kind: "left_out",
  leftOut: { issue: issue.number, reason, detail },
});
