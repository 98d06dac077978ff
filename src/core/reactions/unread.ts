import type { Occurrence } from "../occurrence.ts";
import { decided, joined, type Reaction, type View } from "../reaction.ts";

/** Rules by which somebody's missing permission stopped something. */
const REFUSALS: readonly string[] = ["not_permitted", "untrusted_author"];

/**
 * An act that failed because GitHub did not say what its author may do: told as that, and not as their want of
 * permission. What might have been an answer to who waits for one is told, too.
 */
export function withUnread(
  { unread = [] }: Pick<Occurrence, "unread">,
  reaction: Reaction,
  { agents, questions }: Pick<View, "agents" | "questions">,
): Reaction {
  const shown =
    reaction.decisions.some(({ rule }) => REFUSALS.includes(rule)) ||
    agents.some(({ state }) => state === "ESCALATED") ||
    questions.length > 0;
  return joined(
    reaction,
    ...unread.map(({ login, error }) =>
      decided(
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
