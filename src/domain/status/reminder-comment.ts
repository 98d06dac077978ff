import type { AgentRecord } from "../agents/agent-record.ts";
import type { TransitionRow } from "../kernel/rows.ts";
import { moment } from "../messages/format.ts";
import { DEADLOCK, REPLANNING } from "../tasks/escalation.ts";
import { quote } from "./comments.ts";
import { waitsFor } from "./waits-for.ts";

/**
 * Returns a new comment, because GitHub notifies nobody of an edited one. `slept` = the move by which the agent fell
 * asleep.
 */
export function reminderComment(
  agent: AgentRecord,
  slept: TransitionRow | null,
  to: { readonly login: string | null; readonly second: boolean },
): string {
  const named = to.login === null ? "" : `@${to.login.replace(/^@/, "")}, `;
  const since = agent.sleepingSince === null ? "" : ` since ${moment(agent.sleepingSince)}`;
  const what =
    agent.state === "ESCALATED"
      ? "needs a person"
      : agent.sleepReason === "paused"
        ? "is paused"
        : waitsFor(agent, slept, []);
  return [
    to.second
      ? `${named}nobody has answered **${agent.role}** yet: it ${what}${since}. Can you?`
      : `${named}a reminder: **${agent.role}** ${what}${since}.`,
    ...(agent.state === "ESCALATED" && agent.reason !== null ? ["", quote(agent.reason)] : []),
    "",
    NEXT[nextFor(agent)],
  ].join("\n");
}

function nextFor({ state, category, sleepReason }: AgentRecord): keyof typeof NEXT {
  if (state !== "ESCALATED") return sleepReason === "review" ? "review" : "other";
  return category === REPLANNING || category === DEADLOCK ? "blocked" : "escalated";
}

const NEXT = {
  blocked:
    "Say here what to do differently, or say `/flotilla resume`, `retry` or `cancel`. `/flotilla why` explains more.",
  escalated:
    "Answer in a comment, or say `/flotilla resume`, `complete`, `retry` or `cancel`. `/flotilla why` explains more.",
  review: "Review the pull request, or say `/flotilla cancel`. `/flotilla why` explains more.",
  other: "Say `/flotilla resume`, `approve`, `deny <reason>` or `cancel`. `/flotilla why` explains more.",
} as const;
