import type { AgentRecord } from "../agents/agent-record.ts";
import type { DomainEventOf } from "../events/domain-event.ts";
import { type ChangeSet, decisionOnly, type IssueState, NO_CHANGES } from "../kernel/change-set.ts";
import type { RepositoryRow } from "../kernel/rows.ts";
import { blockerWake } from "./blocker-wake.ts";
import { type IssueRef, issueText, reportedText } from "./blockers.ts";

/** What follows from each event of what blocks an issue, and of its parts. */
export const RELATION_HANDLERS = {
  blocker_changed: onBlockerChanged,
  part_changed: onPartChanged,
};

/**
 * Reads the blockers from GitHub again for agents that wait to start, and wakes sleepers whose blocker was removed,
 * unless they have others.
 */
function onBlockerChanged(event: DomainEventOf<"blocker_changed">, view: IssueState): ChangeSet {
  const { added, actor, blocker, own, repository } = event;
  const refresh: ChangeSet = {
    ...NO_CHANGES,
    effects: [{ kind: "look_at_blockers", repositoryId: view.repositoryId, issue: view.issue }],
  };
  if (view.agents.some(({ state }) => state === "CREATED")) return refresh;
  if (own) return decisionOnly("own_act", "we wrote the dependency ourselves");
  const name = issueText(blocker, repository);
  const waits = view.agents.some(
    ({ state, sleepReason }) => state === "SLEEPING" && sleepReason === "blocked",
  );
  if (added && waits) return refresh;
  if (added)
    return decisionOnly("blocker_noted", `${name} blocks the issue now; no agent waits to start on it`, {
      change: "an agent that starts after this waits for it; `/flotilla pause` holds an agent at work",
    });
  const asleep = sleepersFor(view, blocker, repository);
  if (asleep.length === 0 && waits) return refresh;
  if (asleep.length === 0) return decisionOnly("nobody_concerned", `no agent of the issue waits for ${name}`);
  if (!event.permitted) return decisionOnly("not_permitted", `@${actor.login} has no write permission`);
  const how = `was taken off as a blocker by @${actor.login}`;
  return { ...refresh, wakes: asleep.map((agent) => blockerWake(agent, blocker, how, event)) };
}

/** Wakes agents that wait for an issue that became a part of their own: an issue does not wait for its parts. */
function onPartChanged(event: DomainEventOf<"part_changed">, view: IssueState): ChangeSet {
  const { added, actor, part, repository } = event;
  const asleep = added ? sleepersFor(view, part, repository) : [];
  if (asleep.length === 0)
    return decisionOnly("nobody_concerned", "a part of an issue starts and holds nothing");
  if (!event.permitted) return decisionOnly("not_permitted", `@${actor.login} has no write permission`);
  const how = `was made a part of your own issue by @${actor.login}`;
  return { ...NO_CHANGES, wakes: asleep.map((agent) => blockerWake(agent, part, how, event)) };
}

/** Returns the issue's own agents that sleep for that other issue, or whose sleep for it timed out. */
function sleepersFor(view: IssueState, other: IssueRef, home: RepositoryRow): readonly AgentRecord[] {
  const name = issueText(other, home).toLowerCase();
  return view.agents.filter(
    (agent) =>
      (agent.state === "SLEEPING" || agent.state === "ESCALATED") &&
      reportedText(agent).some((reported) => reported.toLowerCase() === name),
  );
}
