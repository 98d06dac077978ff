import type { DomainEvent } from "../events/domain-event.ts";
import type { IssueTextRow } from "../ports/work-tables.ts";

/** Acts by which a person with permission approves the issue's text as it is then. */
const APPROVING: ReadonlySet<DomainEvent["type"]> = new Set([
  "issue_opened",
  "issue_labeled",
  "issue_reopened",
  "issue_assigned",
  "issue_edited",
]);

/** Commands that start work, or let it continue. */
const STARTING: ReadonlySet<string> = new Set(["start", "retry", "resume", "continue", "review", "fix"]);

/**
 * Returns the issue's text that agents may see from now on; null when the event approves none. A later edit by somebody
 * without permission changes GitHub's text and not this one. A comment approves only with such a command.
 */
export function approvedText(event: DomainEvent): IssueTextRow | null {
  const { repository, actor, permitted, at } = event;
  if (!permitted || !("issue" in event) || ("own" in event && event.own)) return null;
  const commands = event.type === "commented" && STARTING.has(event.command?.verb ?? "");
  const asks = event.type === "persons_pull" && ["opened", "ready", "labeled"].includes(event.happened);
  if (!commands && !asks && !APPROVING.has(event.type)) return null;
  const { number: issue, title, body } = event.issue;
  return { repositoryId: repository.id, issue, title, body, approvedBy: actor.login, at };
}
