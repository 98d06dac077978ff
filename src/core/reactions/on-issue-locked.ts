import { isLive } from "../machines/agent-record.ts";
import type { OccurrenceOf } from "../occurrence.ts";
import { decided, joined, NOTHING, type Reaction, type View } from "../reaction.ts";
import { pauses } from "./steer.ts";

/**
 * A locked issue holds its agents as a person's pause does, and unlocking lifts that. Whoever may lock may stop; to let
 * agents go on takes the permission that a command takes, since the hold may be another person's.
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
      { ...NOTHING, moves: stopped.map((agent) => pauses(agent, steering, why)) },
      decided("locked", why, { change: "unlocking it, or `/flotilla resume`", shown: true }),
    );
  }
  const held = live.filter(({ heldBy }) => heldBy.includes("person"));
  if (held.length === 0) return nobody("unlocked");
  if (!occurrence.permitted)
    return decided("not_permitted", `${by} unlocked the issue and has no write permission here`, {
      change: "a person with write permission says `/flotilla resume`",
      shown: true,
    });
  const { at, actor } = steering;
  return {
    ...NOTHING,
    moves: held.map(({ id }) => ({
      machine: "agent",
      id,
      event: { type: "RESUME", at, actor, holders: ["person"], grant: null },
    })),
  };
}

function nobody(what: string): Reaction {
  return decided("nobody_concerned", `the issue was ${what}, and no agent of it is concerned`);
}
