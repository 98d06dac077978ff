import type { Occurrence } from "./occurrence.ts";
import type { IssueTextRow } from "./ports/issue-texts.ts";

/** Acts by which somebody who may steer stands for an issue as it reads at that moment. */
const APPROVING: ReadonlySet<Occurrence["type"]> = new Set([
  "issue_opened",
  "issue_labeled",
  "issue_reopened",
  "issue_assigned",
  "issue_edited",
]);

/** Commands that set work going, or let it continue. */
const STARTING: ReadonlySet<string> = new Set(["start", "retry", "resume", "continue"]);

/**
 * The text of an issue that its agents may be shown from now on; null when this says nothing about it. A later edit by
 * somebody else changes GitHub's text and not this one. A comment approves only where it commands that.
 */
export function approvedText(occurrence: Occurrence): IssueTextRow | null {
  const { repository, actor, permitted, at } = occurrence;
  if (!permitted || !("issue" in occurrence) || ("own" in occurrence && occurrence.own)) return null;
  const commands = occurrence.type === "commented" && STARTING.has(occurrence.command?.verb ?? "");
  if (!commands && !APPROVING.has(occurrence.type)) return null;
  const { number: issue, title, body } = occurrence.issue;
  return { repositoryId: repository.id, issue, title, body, approvedBy: actor.login, at };
}
