import type { GitHubIssue } from "../ports/github.ts";

/** The issue as GitHub shows it now; null where it is no longer in the repository. */
export type IssueBeforeMerge = Pick<GitHubIssue, "number" | "state" | "locked" | "assignees"> | null;

/** Returns why the state of its issue keeps Flotilla from merging work; null when it does not. */
export function issueAgainst(
  issue: IssueBeforeMerge,
): { readonly why: string; readonly change: string } | null {
  const byHand = "or merge it by hand";
  if (issue === null) return { why: "its issue is no longer in this repository", change: "merge it by hand" };
  const number = `#${issue.number}`;
  if (issue.state === "closed") return { why: `${number} is closed`, change: `reopen ${number}, ${byHand}` };
  if (issue.locked) return { why: `${number} is locked`, change: `unlock ${number}, ${byHand}` };
  const people = issue.assignees.filter(({ type }) => type === "User").map(({ login }) => `@${login}`);
  return people.length === 0
    ? null
    : { why: `${number} is assigned to ${people.join(" and ")}`, change: `remove the assignee, ${byHand}` };
}
