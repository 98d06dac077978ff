import { isLive } from "../agents/agent-record.ts";
import { pauses } from "../commands/steer.ts";
import {
  type ChangeSet,
  decisionOnly,
  type IssueState,
  mergeChanges,
  NO_CHANGES,
} from "../kernel/change-set.ts";
import type { DomainEventOf } from "./domain-event.ts";

/**
 * A locked issue holds its agents, and unlocking lifts that hold and no other. Both are GitHub's own state of the issue:
 * whoever may change it there holds and lets go.
 */
export function onIssueLocked(event: DomainEventOf<"issue_locked">, view: IssueState): ChangeSet {
  const by = `@${event.actor.login}`;
  const steering = { at: event.at, actor: event.actor.login, act: event.delivery };
  const live = view.agents.filter(isLive);
  if (event.locked) {
    const stopped = live.filter(({ state }) => state !== "ESCALATED");
    if (stopped.length === 0) return nobody("locked");
    const why = `${by} locked the issue`;
    return mergeChanges(
      { ...NO_CHANGES, moves: stopped.map((agent) => pauses(agent, steering, why, "lock")) },
      decisionOnly("locked", why, { change: "unlocking it", shown: true }),
    );
  }
  const held = live.filter(({ heldBy }) => heldBy.includes("lock"));
  if (held.length === 0) return nobody("unlocked");
  const { at, actor } = steering;
  return {
    ...NO_CHANGES,
    moves: held.map(({ id }) => ({
      machine: "agent",
      id,
      event: { type: "RESUME", at, actor, holders: ["lock"], grant: null },
    })),
  };
}

function nobody(what: string): ChangeSet {
  return decisionOnly("nobody_concerned", `the issue was ${what}, and no agent of it is concerned`);
}
