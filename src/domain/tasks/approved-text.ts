import type { DomainEvent } from "../events/domain-event.ts";
import type { IssueTextRow } from "../ports/work-tables.ts";

/** Acts by which somebody who may steer stands for an issue as it reads at that moment. */
const APPROVING: ReadonlySet<DomainEvent["type"]> = new Set([
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
export function approvedText(event: DomainEvent): IssueTextRow | null {
  const { repository, actor, permitted, at } = event;
  if (!permitted || !("issue" in event) || ("own" in event && event.own)) return null;
  const commands = event.type === "commented" && STARTING.has(event.command?.verb ?? "");
  if (!commands && !APPROVING.has(event.type)) return null;
  const { number: issue, title, body } = event.issue;
  return { repositoryId: repository.id, issue, title, body, approvedBy: actor.login, at };
}
