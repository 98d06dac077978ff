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

/** Rules by which somebody's missing permission stopped something. */
const REFUSALS: readonly string[] = ["not_permitted", "untrusted_author"];

/**
 * An act that failed because GitHub did not say what its author may do: told as that, and not as their want of
 * permission. What might have been an answer to who waits for one is told, too.
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
