import type { IssueState } from "../kernel/change-set.ts";
import type { Effect } from "../kernel/effect.ts";

/** A blocker was closed or opened again: what else holds them is read from GitHub, and not what was said. */
export function refreshesOfDependents(view: IssueState): readonly Effect[] {
  return view.held.map((held) => ({ kind: "look_at_blockers", ...held }));
}
