import type { ClosedIssue, EditedText } from "../ports/closed-issues.ts";
import type { TrialCase } from "./trial-case.ts";

/** What people had written of an issue at some time. */
export type IssueText = Pick<TrialCase, "title" | "body" | "comments">;

/**
 * Returns an issue as it read just before the time, in milliseconds since the epoch; null where an edit after it cannot be
 * undone.
 */
export function asItWas(issue: ClosedIssue, at: number): IssueText | null {
  const body = textBefore(issue.body, at);
  const comments = issue.comments
    .filter((comment) => comment.body.createdAt < at)
    .map((comment) => ({ ...comment, text: textBefore(comment.body, at) }));
  const read = comments.flatMap(({ author, body: { createdAt }, text }) =>
    text === null ? [] : [{ author, body: text, at: new Date(createdAt).toISOString() }],
  );
  if (body === null || read.length < comments.length) return null;
  const [renamed] = issue.titles
    .filter(({ until }) => until >= at)
    .toSorted((one, other) => one.until - other.until);
  return { title: renamed?.title ?? issue.title, body, comments: read };
}

function textBefore({ text, lastEditedAt, versions }: EditedText, at: number): string | null {
  if (lastEditedAt === null || lastEditedAt < at) return text;
  const newestFirst = versions.toSorted((one, other) => other.at - one.at);
  // GitHub keeps each version whole, beginning with the first. Where the last one is not the present text, what it keeps means
  // something else.
  if (withLines(newestFirst[0]?.text) !== withLines(text)) return null;
  return newestFirst.find((version) => version.at < at)?.text ?? null;
}

const withLines = (text: string | null | undefined): string | undefined => text?.replaceAll("\r\n", "\n");
