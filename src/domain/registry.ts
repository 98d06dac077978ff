import { RELATION_HANDLERS } from "./blockers/on-relations.ts";
import { onChecksChanged } from "./checks/on-checks.ts";
import { onCommented } from "./commands/on-comment.ts";
import type { DomainEvent, DomainEventOf } from "./events/domain-event.ts";
import { ISSUE_HANDLERS } from "./events/on-issue.ts";
import { LABEL_HANDLERS } from "./events/on-label.ts";
import type { ChangeSet, IssueState } from "./kernel/change-set.ts";
import { onProposalClosed } from "./onboarding/on-proposal.ts";
import { PLAN_HANDLERS } from "./planning/on-plan.ts";
import { onPlanEdited } from "./planning/on-plan-edited.ts";
import { onCommentEdited } from "./questions/on-answer.ts";
import { onPersonsPull } from "./review/on-persons-pull.ts";
import { REVIEW_HANDLERS } from "./review/on-reviewed.ts";
import { PULL_HANDLERS } from "./tasks/on-pull.ts";
import { onPushed } from "./tasks/on-push.ts";
import { onReverted } from "./tasks/reverts.ts";

/** The handler of each kind of event; a kind without a row does not compile. */
export const EVENT_HANDLERS: {
  readonly [T in DomainEvent["type"]]: (event: DomainEventOf<T>, view: IssueState) => ChangeSet;
} = {
  ...ISSUE_HANDLERS,
  ...LABEL_HANDLERS,
  ...PLAN_HANDLERS,
  ...RELATION_HANDLERS,
  commented: onCommented,
  comment_edited: (event, view) => onPlanEdited(event, view) ?? onCommentEdited(event, view),
  ...PULL_HANDLERS,
  proposal_closed: onProposalClosed,
  pushed: onPushed,
  reverted: onReverted,
  checks_changed: onChecksChanged,
  ...REVIEW_HANDLERS,
  persons_pull: onPersonsPull,
};
