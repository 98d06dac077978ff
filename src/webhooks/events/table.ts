import { COMMENT_EVENTS } from "./comments.ts";
import { COMMIT_EVENTS } from "./commits.ts";
import { ISSUE_RELATION_EVENTS } from "./issue-relations.ts";
import { ISSUE_EVENTS } from "./issues.ts";
import { PULL_REQUEST_EVENTS } from "./pull-requests.ts";
import { REPOSITORY_EVENTS } from "./repositories.ts";
import { REVIEW_EVENTS } from "./reviews.ts";

/**
 * The webhooks that we use, as `event.action`, with what reads them. app.yml subscribes to exactly their events, without
 * those that GitHub sends to every App.
 */
export const EVENTS = {
  ...ISSUE_EVENTS,
  ...ISSUE_RELATION_EVENTS,
  ...COMMENT_EVENTS,
  ...PULL_REQUEST_EVENTS,
  ...REVIEW_EVENTS,
  ...COMMIT_EVENTS,
  ...REPOSITORY_EVENTS,
};

/** Sent to every App; a manifest that subscribes to them is refused. */
export const ALWAYS_SENT: readonly string[] = ["installation", "installation_repositories"];

export type EventName = keyof typeof EVENTS;

export const EVENT_NAMES = Object.keys(EVENTS).filter(isUsedEvent);

/** True when somebody reads this webhook (`event.action`, or `event` where there is no action). */
export function isUsedEvent(name: string): name is EventName {
  return Object.hasOwn(EVENTS, name);
}
