import { AIMS, type Event002 } from "./events.ts";
import type { State002 } from "./states.ts";
import { MATRIX } from "./transitions.ts";

/**
 * Where the document's machine goes: the event aims, then the matrix says whether that is allowed; null = refused.
 * `remembered` is the state that it was paused from; a RESUME without one aims at idle.
 */
export function documented(state: State002, event: Event002, remembered: State002 | null): State002 | null {
  const { from, to } = AIMS[event];
  if (from !== "*" && from !== state) return null;
  const target = to === "where it was paused" ? (remembered ?? "idle") : to;
  return MATRIX[state].includes(target) ? target : null;
}
