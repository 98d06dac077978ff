import { wake } from "../agents/agent-changes.ts";
import { isLive } from "../agents/agent-record.ts";
import { issueEdit } from "../conversation/issue-edit.ts";
import {
  type ChangeSet,
  decisionOnly,
  type IssueState,
  mergeChanges,
  NO_CHANGES,
} from "../kernel/change-set.ts";
import type { DomainEventOf } from "./domain-event.ts";

/** Who may steer also says what is asked: an edit of theirs is a message with what changed. */
export function onIssueEdited(event: DomainEventOf<"issue_edited">, view: IssueState): ChangeSet {
  const by = `@${event.actor.login}`;
  const changed = issueEdit(event.was, event.issue);
  if (changed === "")
    return decisionOnly("nothing_changed", `${by} edited the issue, its title and text are as before`);
  const live = view.agents.filter(isLive);
  if (live.length === 0) return decisionOnly("nobody_concerned", "no agent works on this issue");
  if (!event.permitted)
    return decisionOnly("not_permitted", `${by} edited the issue and has no write permission here`, {
      change: "a person with write permission says what to do differently",
    });
  const escalated = live.filter(({ state }) => state === "ESCALATED");
  const told = live.filter((agent) => !escalated.includes(agent));
  const words = `${by} edited the issue (${event.issue.url}).\n\n${changed}`;
  return mergeChanges(
    { ...NO_CHANGES, wakes: told.map((agent) => wake(event, agent, "message", words)) },
    ...escalated.map(({ id, name }) =>
      decisionOnly(
        "waits_for_person",
        `${by} edited the issue; ${name} waits for an answer, and an edit is none`,
        {
          agentId: id,
          change: "answer on the issue, or say `/flotilla resume`",
        },
      ),
    ),
  );
}
