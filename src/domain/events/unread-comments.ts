import { type ChangeSet, decisionOnly, type IssueState, mergeChanges } from "../kernel/change-set.ts";
import type { DomainEvent } from "./domain-event.ts";

/** Rules by which somebody's missing permission stopped something. */
const REFUSALS: readonly string[] = ["not_permitted", "untrusted_author"];

/**
 * An act that failed because GitHub did not say what its author may do: told as that, and not as their want of
 * permission. What might have been an answer to who waits for one is told, too.
 */
export function withUnread(
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
