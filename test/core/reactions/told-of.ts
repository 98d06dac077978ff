import type { Reaction } from "../../../src/core/reaction.ts";

/** What a reaction moves, as `agent 11 CANCEL`; a new record is `new`. */
export function movesOf({ moves }: Reaction): readonly string[] {
  return moves.map(({ machine, id, event }) => `${machine} ${id ?? "new"} ${event.type}`);
}

/** Whom it wakes and why, as `11 message`. */
export function wakesOf({ wakes }: Reaction): readonly string[] {
  return wakes.map(({ agentId, reason }) => `${agentId} ${reason}`);
}

/** By which rules it decided not to act. */
export function rulesOf({ decisions }: Reaction): readonly string[] {
  return decisions.map(({ rule }) => rule);
}

/** The reason of its one decision, and what would change it. */
export function whyOf({ decisions }: Reaction): string {
  return decisions.map(({ reason, change }) => `${reason} / ${change ?? "nothing"}`).join("\n");
}

export function effectsOf({ effects }: Reaction): readonly string[] {
  return effects.map(({ kind }) => kind);
}

/** The body of its one comment. */
export function saidBy({ effects }: Reaction): string {
  return effects.flatMap((effect) => (effect.kind === "post_comment" ? [effect.body] : [])).join("\n---\n");
}
