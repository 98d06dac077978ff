import type { EngineContext } from "./engine-context.ts";
import { nextTurn } from "./next-event-loop-turn.ts";

/** An agent's streamed text is kept this long, up to a number of pieces; all other events are kept. */
const KEEP_MS = 10 * 60_000;
const KEEP_PIECES = 2000;
const EVERY_MS = 60_000;
/** Rows per transaction. */
const AT_ONCE = 500;

/** Returns a function for the engine's tick that deletes old streamed text, once a minute. */
export function tokenPruner(context: Pick<EngineContext, "store" | "clock">): () => Promise<void> {
  let last = Number.NEGATIVE_INFINITY;
  return async () => {
    const now = context.clock.now();
    if (now - last < EVERY_MS) return;
    last = now;
    const old = { before: now - KEEP_MS, keep: KEEP_PIECES, limit: AT_ONCE };
    while ((await context.store.runEvents.pruneTokens(old)) === AT_ONCE) await nextTurn();
  };
}
