import { z } from "zod";
import type { DomainEventOf } from "../../domain/events/domain-event.ts";
import { issueShape, milestoneShape } from "../payload.ts";
import { parser } from "./parsing.ts";

/** The issue says which milestone it has now, whichever of the two events it was. */
export const issuesMilestoned = parser(z.object({ issue: issueShape }), async ({ issue }, context) => {
  if (issue.isPullRequest) return { ignored: `#${issue.number} is a pull request: it has no task` };
  const { base, mayAsk } = context;
  return {
    ...base,
    permitted: await mayAsk(base.repository, base.actor),
    type: "issue_milestoned",
    issue,
  };
});

const milestoneChanged = (change: DomainEventOf<"milestone_changed">["change"]) =>
  parser(z.object({ milestone: milestoneShape }), async ({ milestone }, { base, mayAsk }) => ({
    ...base,
    permitted: await mayAsk(base.repository, base.actor),
    type: "milestone_changed",
    milestone,
    change,
  }));

export const milestoneEdited = milestoneChanged("edited");
export const milestoneClosed = milestoneChanged("closed");
export const milestoneDeleted = milestoneChanged("deleted");
