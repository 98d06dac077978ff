import { type IssueRef, issueText, reportedText } from "../blockers.ts";
import type { AgentRecord } from "../machines/agent-record.ts";
import type { OccurrenceOf } from "../occurrence.ts";
import { decided, NOTHING, type Reaction, type View } from "../reaction.ts";
import type { RepositoryRow } from "../rows.ts";
import { blockerWake } from "./blocker-wake.ts";

/**
 * Whoever waits is offered again with what GitHub says; who sleeps for a blocker that is taken off wakes, unless there
 * are others.
 */
export function onBlockerChanged(occurrence: OccurrenceOf<"blocker_changed">, view: View): Reaction {
  const { added, actor, blocker, own, repository } = occurrence;
  const looks: Reaction = {
    ...NOTHING,
    effects: [{ kind: "look_at_blockers", repositoryId: view.repositoryId, issue: view.issue }],
  };
  if (view.agents.some(({ state }) => state === "CREATED")) return looks;
  if (own) return decided("own_act", "we wrote the dependency ourselves");
  const name = issueText(blocker, repository);
  const waits = view.agents.some(
    ({ state, sleepReason }) => state === "SLEEPING" && sleepReason === "blocked",
  );
  if (added && waits) return looks;
  if (added)
    return decided("blocker_noted", `${name} blocks the issue now; no agent waits to start on it`, {
      change: "an agent that starts after this waits for it; `/flotilla pause` holds an agent at work",
    });
  const asleep = sleepersFor(view, blocker, repository);
  if (asleep.length === 0 && waits) return looks;
  if (asleep.length === 0) return decided("nobody_concerned", `no agent of the issue waits for ${name}`);
  if (!occurrence.permitted) return decided("not_permitted", `@${actor.login} has no write permission`);
  const how = `was taken off as a blocker by @${actor.login}`;
  return { ...looks, wakes: asleep.map((agent) => blockerWake(agent, blocker, how, occurrence)) };
}

/** An issue does not wait for a part of itself. */
export function onPartChanged(occurrence: OccurrenceOf<"part_changed">, view: View): Reaction {
  const { added, actor, part, repository } = occurrence;
  const asleep = added ? sleepersFor(view, part, repository) : [];
  if (asleep.length === 0) return decided("nobody_concerned", "a part of an issue starts and holds nothing");
  if (!occurrence.permitted) return decided("not_permitted", `@${actor.login} has no write permission`);
  const how = `was made a part of your own issue by @${actor.login}`;
  return { ...NOTHING, wakes: asleep.map((agent) => blockerWake(agent, part, how, occurrence)) };
}

/** The issue's own agents that sleep, or slept too long, for that other one. */
function sleepersFor(view: View, other: IssueRef, home: RepositoryRow): readonly AgentRecord[] {
  const name = issueText(other, home).toLowerCase();
  return view.agents.filter(
    (agent) =>
      (agent.state === "SLEEPING" || agent.state === "ESCALATED") &&
      reportedText(agent).some((reported) => reported.toLowerCase() === name),
  );
}
