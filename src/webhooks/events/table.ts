import { COMMENT_EVENTS } from "./comments.ts";
import { COMMIT_EVENTS } from "./commits.ts";
import { ISSUE_RELATION_EVENTS } from "./issue-relations.ts";
import { ISSUE_EVENTS } from "./issues.ts";
import { PULL_REQUEST_EVENTS } from "./pull-requests.ts";
import { REPOSITORY_EVENTS } from "./repositories.ts";
import { REVIEW_EVENTS } from "./reviews.ts";

/**
 * The webhooks in use, as `event.action`, with their readers. app.yml subscribes to exactly these events,
 * except those that GitHub sends to every App.
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

/** Sent to every App; GitHub refuses a manifest that subscribes to them. */
export const ALWAYS_SENT: readonly string[] = ["installation", "installation_repositories"];

export type EventName = keyof typeof EVENTS;

export const EVENT_NAMES = Object.keys(EVENTS).filter(isUsedEvent);

/** Returns whether this webhook (`event.action`, or `event` without an action) has a reader. */
export function isUsedEvent(name: string): name is EventName {
  return Object.hasOwn(EVENTS, name);
}
