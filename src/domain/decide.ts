import { refusedOf } from "./commands/refused.ts";
import type { DomainEvent, DomainEventOf } from "./events/domain-event.ts";
import { type ChangeSet, decisionOnly, type IssueState, mergeChanges } from "./kernel/change-set.ts";
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

/** Rules by which a missing permission stopped something. */
const REFUSALS: readonly string[] = ["not_permitted", "untrusted_author"];

/**
 * Records an act that failed because GitHub did not report its author's permission with that as the reason, instead of
 * a missing permission. Agents that wait for an answer are told about it.
 */
function withUnread(
  { unread = [] }: Pick<DomainEvent, "unread">,
  reaction: ChangeSet,
  { agents, questions }: Pick<IssueState, "agents" | "questions">,
): ChangeSet {
  const shown =
    reaction.decisions.some(({ rule }) => REFUSALS.includes(rule)) ||
    agents.some(({ state }) => state === "ESCALATED") ||
    questions.length > 0;
  return mergeChanges(
    reaction,
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
