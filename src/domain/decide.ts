import { refusedOf } from "./commands/refused.ts";
import type { DomainEvent, DomainEventOf } from "./events/domain-event.ts";
import { type ChangeSet, decisionOnly, type IssueState, mergeChanges } from "./kernel/change-set.ts";
import { EVENT_HANDLERS } from "./registry.ts";

/** Decides what follows from an event, given what is known of its issue. Never empty: a non-action is a decision. */
export function decide(event: DomainEvent, view: IssueState): ChangeSet {
  return withUnread(event, refusedOf(handle(event.type, event, view), event.actor), view);
}

function handle<T extends DomainEvent["type"]>(
  type: T,
  event: DomainEventOf<T>,
  view: IssueState,
): ChangeSet {
  return EVENT_HANDLERS[type](event, view);
}

/** Rules by which a missing permission stopped something. */
const REFUSALS: readonly string[] = ["not_permitted", "untrusted_author"];

/**
 * Adds a decision for each person whose permission GitHub did not report, so that nobody takes that for a missing
 * permission. It is shown where something was refused or an agent waits for people.
 */
function withUnread(
  { unread = [] }: Pick<DomainEvent, "unread">,
  changes: ChangeSet,
  { agents, questions }: Pick<IssueState, "agents" | "questions">,
): ChangeSet {
  const shown =
    changes.decisions.some(({ rule }) => REFUSALS.includes(rule)) ||
    agents.some(({ state }) => state === "ESCALATED") ||
    questions.length > 0;
  return mergeChanges(
    changes,
    ...unread.map(({ login, error }) =>
      decisionOnly(
        "permission_unread",
        `GitHub did not say what @${login} may do here (${error}), which counts as nothing`,
        {
          change: "do the same again once GitHub answers",
          shown,
        },
      ),
    ),
  );
}
