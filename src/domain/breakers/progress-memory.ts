import type { WakeReason } from "../agents/agent-record.ts";
import type { TransitionRow, WakeRow } from "../kernel/rows.ts";
import type { Progress } from "./progress.ts";

/** How the reason of a handoff begins that was made for want of progress. */
export const NO_PROGRESS = "no_progress: ";

/** What is kept of an agent's progress after each turn: it continues through sleep, restart and crash. */
export interface ProgressRow {
  readonly agentId: number;
  readonly progress: Progress;
  /** The latest of its moves and of the wakes told to it that are taken into account; 0 for none. */
  readonly moveId: number;
  readonly wakeId: number;
}

/** What has happened since a turn: nothing that it could learn from, something that it may look at, a beginning. */
type Since = "nothing" | "news" | "beginning";

/** A person's word may ask for the same again; what changed elsewhere is to be read again. */
const BY_WAKE: Readonly<Record<WakeReason, Since>> = {
  answer: "beginning",
  approval: "beginning",
  message: "beginning",
  review: "beginning",
  blocker: "news",
  checks: "news",
  base_moved: "news",
  limit_reset: "nothing",
  retry: "nothing",
  restart: "nothing",
  time: "nothing",
  resumed: "nothing",
};

/**
 * Returns a conversation that was only too long, or is lost, leaves its circle to the next one; one that went in
 * circles does not.
 */
function byMove({ machine, event, from, reason }: TransitionRow): Since {
  if (machine !== "agent") return "nothing";
  if (event === "RESUME" && from === "ESCALATED") return "beginning";
  if (event !== "HANDOFF") return "nothing";
  return reason?.startsWith(NO_PROGRESS) === true ? "beginning" : "news";
}

/**
 * The row as it stands before the agent's next turn, after its `moves` and the `wakes` told to it, later ones than those
 * that the row knows of. A circle and a failing check are remembered over news; what is known, and how long nothing came
 * of it, is not. `fresh` is what a beginning begins with.
 */
export function progressSince(
  kept: ProgressRow,
  later: { readonly moves: readonly TransitionRow[]; readonly wakes: readonly WakeRow[] },
  fresh: Progress,
): ProgressRow {
  const moves = later.moves.filter(({ id }) => id > kept.moveId);
  const wakes = later.wakes.filter(({ id }) => id > kept.wakeId);
  const since = new Set([...moves.map(byMove), ...wakes.map(({ reason }) => BY_WAKE[reason])]);
  const remembered = { ...kept.progress, changes: fresh.changes };
  return {
    agentId: kept.agentId,
    progress: since.has("beginning")
      ? fresh
      : since.has("news")
        ? { ...remembered, known: [], idle: 0, reading: 0 }
        : remembered,
    moveId: latest(kept.moveId, moves),
    wakeId: latest(kept.wakeId, wakes),
  };
}

function latest(known: number, rows: readonly { readonly id: number }[]): number {
  return Math.max(known, ...rows.map(({ id }) => id));
}
