import { isLive } from "../machines/agent-record.ts";
import type { OccurrenceOf } from "../occurrence.ts";
import { decided, joined, NOTHING, type Reaction, type View } from "../reaction.ts";
import { pauses } from "./steer.ts";

/**
 * A locked issue holds its agents, and unlocking lifts that hold and no other. Both are GitHub's own state of the issue:
 * whoever may change it there holds and lets go.
 */
export function onIssueLocked(occurrence: OccurrenceOf<"issue_locked">, view: View): Reaction {
  const by = `@${occurrence.actor.login}`;
  const steering = { at: occurrence.at, actor: occurrence.actor.login, act: occurrence.delivery };
  const live = view.agents.filter(isLive);
  if (occurrence.locked) {
    const stopped = live.filter(({ state }) => state !== "ESCALATED");
    if (stopped.length === 0) return nobody("locked");
    const why = `${by} locked the issue`;
    return joined(
      { ...NOTHING, moves: stopped.map((agent) => pauses(agent, steering, why, "lock")) },
      decided("locked", why, { change: "unlocking it", shown: true }),
    );
  }
  const held = live.filter(({ heldBy }) => heldBy.includes("lock"));
  if (held.length === 0) return nobody("unlocked");
  const { at, actor } = steering;
  return {
    ...NOTHING,
    moves: held.map(({ id }) => ({
      machine: "agent",
      id,
      event: { type: "RESUME", at, actor, holders: ["lock"], grant: null },
    })),
  };
}

function nobody(what: string): Reaction {
  return decided("nobody_concerned", `the issue was ${what}, and no agent of it is concerned`);
}
