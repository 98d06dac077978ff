import { isLive } from "../machines/agent-record.ts";
import type { OccurrenceOf } from "../occurrence.ts";
import { decided, joined, NOTHING, type Reaction, type View } from "../reaction.ts";
import { issueEdit } from "../text/issue-edit.ts";
import { wake } from "./on-issue.ts";

/** Who may steer also says what is asked: an edit of theirs is a message with what changed. */
export function onIssueEdited(occurrence: OccurrenceOf<"issue_edited">, view: View): Reaction {
  const by = `@${occurrence.actor.login}`;
  const changed = issueEdit(occurrence.was, occurrence.issue);
  if (changed === "")
    return decided("nothing_changed", `${by} edited the issue, its title and text are as before`);
  const live = view.agents.filter(isLive);
  if (live.length === 0) return decided("nobody_concerned", "no agent works on this issue");
  if (!occurrence.permitted)
    return decided("not_permitted", `${by} edited the issue and has no write permission here`, {
      change: "a person with write permission says what to do differently",
    });
  const escalated = live.filter(({ state }) => state === "ESCALATED");
  const told = live.filter((agent) => !escalated.includes(agent));
  const words = `${by} edited the issue (${occurrence.issue.url}).\n\n${changed}`;
  return joined(
    { ...NOTHING, wakes: told.map((agent) => wake(occurrence, agent, "message", words)) },
    ...escalated.map(({ id, name }) =>
      decided(
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
