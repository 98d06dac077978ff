import type { IssueState } from "../kernel/change-set.ts";
import type { Effect } from "../kernel/effect.ts";

/** Reads the blockers of the issues that wait for this one from GitHub, after this one was closed or reopened. */
export function refreshesOfDependents(view: IssueState): readonly Effect[] {
  return view.held.map((held) => ({ kind: "look_at_blockers", ...held }));
}
