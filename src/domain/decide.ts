import { refusedOf } from "./commands/refused.ts";
import type { DomainEvent, DomainEventOf } from "./events/domain-event.ts";
import { withUnread } from "./events/unread-comments.ts";
import type { ChangeSet, IssueState } from "./kernel/change-set.ts";
import { EVENT_HANDLERS } from "./registry.ts";

/** Decides what follows from an event, given what is known of its issue. Never empty: a non-action is a decision. */
export function decide(event: DomainEvent, state: IssueState): ChangeSet {
  return withUnread(event, refusedOf(handle(event.type, event, state), event.actor), state);
}

function handle<T extends DomainEvent["type"]>(
  type: T,
  event: DomainEventOf<T>,
  state: IssueState,
): ChangeSet {
  return EVENT_HANDLERS[type](event, state);
}
