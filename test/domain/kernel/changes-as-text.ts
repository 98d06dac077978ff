import type { ChangeSet } from "../../../src/domain/kernel/change-set.ts";

/** What a change set moves, as `agent 11 CANCEL`; a new record is `new`. */
export function movesOf({ moves }: ChangeSet): readonly string[] {
  return moves.map(({ machine, id, event }) => `${machine} ${id ?? "new"} ${event.type}`);
}

/** Whom it wakes and why, as `11 message`. */
export function wakesOf({ wakes }: ChangeSet): readonly string[] {
  return wakes.map(({ agentId, reason }) => `${agentId} ${reason}`);
}

/** By which rules it decided not to act. */
export function rulesOf({ decisions }: ChangeSet): readonly string[] {
  return decisions.map(({ rule }) => rule);
}

/** The reason of its one decision, and what would change it. */
export function whyOf({ decisions }: ChangeSet): string {
  return decisions.map(({ reason, change }) => `${reason} / ${change ?? "nothing"}`).join("\n");
}

export function effectsOf({ effects }: ChangeSet): readonly string[] {
  return effects.map(({ kind }) => kind);
}

/** The body of its one comment. */
export function saidBy({ effects }: ChangeSet): string {
  return effects.flatMap((effect) => (effect.kind === "post_comment" ? [effect.body] : [])).join("\n---\n");
}
