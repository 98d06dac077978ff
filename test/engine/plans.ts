import type { Milestone } from "../../src/core/milestone.ts";
import type { Occurrence, OccurrenceOf } from "../../src/core/occurrence.ts";
import { anOccurrence } from "../factories/an-occurrence.ts";
import { type By, base, issueOf } from "./people.ts";
import type { Rig } from "./rig.ts";

/** The issue's milestone is that one from now on, or none. */
export function milestoned(
  rig: Rig,
  number: number,
  milestone: Milestone | null,
  options: By = {},
): Occurrence {
  const issue = Object.assign(issueOf(rig, number), { milestone });
  return anOccurrence("issue_milestoned", { ...base(rig, options), issue: { ...issue } });
}

/** Issues that have it show it as it is now. */
export function milestoneChanged(
  rig: Rig,
  milestone: Milestone,
  change: OccurrenceOf<"milestone_changed">["change"],
  options: By = {},
): Occurrence {
  for (const issue of rig.repository.issues.values())
    if (issue.milestone?.number === milestone.number)
      Object.assign(issue, { milestone: change === "deleted" ? null : milestone });
  return anOccurrence("milestone_changed", { ...base(rig, options), milestone, change });
}

export function partChanged(rig: Rig, parent: number, part: number, options: By = {}): Occurrence {
  rig.repository.parents.set(part, parent);
  const related = { repository: "acme/shop", number: part };
  return anOccurrence("part_changed", {
    ...base(rig, options),
    issue: { ...issueOf(rig, parent) },
    part: related,
    added: true,
  });
}
