import type { Effect } from "../effect.ts";
import type { View } from "../reaction.ts";

/** A blocker was closed or opened again: what else holds them is read from GitHub, and not what was said. */
export function looksAtHeld(view: View): readonly Effect[] {
  return view.held.map((held) => ({ kind: "look_at_blockers", ...held }));
}
