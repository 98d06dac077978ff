import { z } from "zod";
import type { OccurrenceOf } from "../../core/occurrence.ts";
import { issueShape, milestoneShape } from "../payload.ts";
import { reader } from "./reading.ts";

/** The issue says which milestone it has now, whichever of the two events it was. */
export const issuesMilestoned = reader(z.object({ issue: issueShape }), async ({ issue }, scene) => {
  if (issue.isPullRequest) return { ignored: `#${issue.number} is a pull request: it has no task` };
  const { base, mayAsk } = scene;
  return {
    ...base,
    permitted: await mayAsk(base.repository, base.actor),
    type: "issue_milestoned",
    issue,
  };
});

const milestoneChanged = (change: OccurrenceOf<"milestone_changed">["change"]) =>
  reader(z.object({ milestone: milestoneShape }), async ({ milestone }, { base, mayAsk }) => ({
    ...base,
    permitted: await mayAsk(base.repository, base.actor),
    type: "milestone_changed",
    milestone,
    change,
  }));

export const milestoneEdited = milestoneChanged("edited");
export const milestoneClosed = milestoneChanged("closed");
export const milestoneDeleted = milestoneChanged("deleted");
