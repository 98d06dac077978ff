import { z } from "zod";
import type { DomainEventOf } from "../../domain/events/domain-event.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import { issueShape, milestoneShape, repositoryShape } from "../payload.ts";
import { parser, type WebhookParsers, withPermission } from "./parsing.ts";

const otherRepository = repositoryShape.transform(({ owner, name }) =>
  fullName({ owner: owner.login, name }),
);

/** Reads both milestone events: the payload has the issue's current milestone. */
const issueMilestoned = parser(z.object({ issue: issueShape }), async ({ issue }, context) => {
  if (issue.isPullRequest) return { ignored: `#${issue.number} is a pull request: it has no task` };
  return { ...(await withPermission(context)), type: "issue_milestoned", issue };
});

const milestoneChanged = (change: DomainEventOf<"milestone_changed">["change"]) =>
  parser(z.object({ milestone: milestoneShape }), async ({ milestone }, context) => ({
    ...(await withPermission(context)),
    type: "milestone_changed",
    milestone,
    change,
  }));

const dependency = z.object({
  blocked_issue: issueShape,
  blocking_issue: issueShape,
  blocking_issue_repo: otherRepository,
});

/** Reads the webhook of the blocked issue; the one of the blocking issue reports the same act. */
const blockerChanged = (added: boolean) =>
  parser(dependency, async (fields, context) => ({
    ...(await withPermission(context)),
    type: "blocker_changed",
    issue: fields.blocked_issue,
    blocker: { repository: fields.blocking_issue_repo, number: fields.blocking_issue.number },
    added,
    own: context.own,
  }));

const part = z.object({ parent_issue: issueShape, sub_issue: issueShape, sub_issue_repo: otherRepository });

/** Reads the webhook of the parent issue, for the same reason. */
const partChanged = (added: boolean) =>
  parser(part, async (fields, context) => ({
    ...(await withPermission(context)),
    type: "part_changed",
    issue: fields.parent_issue,
    part: { repository: fields.sub_issue_repo, number: fields.sub_issue.number },
    added,
  }));

/** Readers of an issue's milestone, blockers and sub-issues. */
export const ISSUE_RELATION_EVENTS = {
  "issues.milestoned": issueMilestoned,
  "issues.demilestoned": issueMilestoned,
  "milestone.edited": milestoneChanged("edited"),
  "milestone.closed": milestoneChanged("closed"),
  "milestone.deleted": milestoneChanged("deleted"),
  "issue_dependencies.blocked_by_added": blockerChanged(true),
  "issue_dependencies.blocked_by_removed": blockerChanged(false),
  "sub_issues.sub_issue_added": partChanged(true),
  "sub_issues.sub_issue_removed": partChanged(false),
} satisfies WebhookParsers;
