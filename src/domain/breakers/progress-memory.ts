import type { WakeReason } from "../agents/agent-record.ts";
import type { TransitionRow, WakeRow } from "../kernel/rows.ts";
import type { Progress } from "./progress.ts";

/** The beginning of a handoff's reason when the cause is a lack of progress. */
export const NO_PROGRESS = "no_progress: ";

/** What is stored of an agent's progress after each turn, across sleep, restart and crash. */
export interface ProgressRow {
  readonly agentId: number;
  readonly progress: Progress;
  /** The latest of the agent's moves and delivered wakes that are taken into account; 0 for none. */
  readonly moveId: number;
  readonly wakeId: number;
}

/**
 * What happened since a turn: nothing that the agent could learn from, a change that it may read, or a new beginning.
 */
type Since = "nothing" | "news" | "beginning";

/** After a person's message the agent may repeat itself; after a change elsewhere it must read again. */
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
 * Returns the effect of a move on the memory. A conversation that was too long, or is lost, passes its loop on to the
 * next one; one that ended in a loop does not.
 */
function byMove({ machine, event, from, reason }: TransitionRow): Since {
  if (machine !== "agent") return "nothing";
  if (event === "RESUME" && from === "ESCALATED") return "beginning";
  if (event !== "HANDOFF") return "nothing";
  return reason?.startsWith(NO_PROGRESS) === true ? "beginning" : "news";
}

/**
 * Returns the row before the agent's next turn, after the `moves` and `wakes` that are later than the row. A change
 * keeps loops and failing checks, and resets what is known and how long nothing new came. A beginning resets all to
 * `fresh`.
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
