import type { DomainEvent, DomainEventOf } from "../../src/domain/events/domain-event.ts";
import type { Milestone } from "../../src/domain/planning/milestone.ts";
import { aDomainEvent } from "../factories/an-occurrence.ts";
import { type By, base, issueOf } from "./people.ts";
import type { Rig } from "./rig.ts";

/** The issue's milestone is that one from now on, or none. */
export function milestoned(
  rig: Rig,
  number: number,
  milestone: Milestone | null,
  options: By = {},
): DomainEvent {
  const issue = Object.assign(issueOf(rig, number), { milestone });
  return aDomainEvent("issue_milestoned", { ...base(rig, options), issue: { ...issue } });
}

/** Issues that have it show it as it is now. */
export function milestoneChanged(
  rig: Rig,
  milestone: Milestone,
  change: DomainEventOf<"milestone_changed">["change"],
  options: By = {},
): DomainEvent {
  for (const issue of rig.repository.issues.values())
    if (issue.milestone?.number === milestone.number)
      Object.assign(issue, { milestone: change === "deleted" ? null : milestone });
  return aDomainEvent("milestone_changed", { ...base(rig, options), milestone, change });
}

export function partChanged(rig: Rig, parent: number, part: number, options: By = {}): DomainEvent {
  rig.repository.parents.set(part, parent);
  const related = { repository: "acme/shop", number: part };
  return aDomainEvent("part_changed", {
    ...base(rig, options),
    issue: { ...issueOf(rig, parent) },
    part: related,
    added: true,
  });
}
