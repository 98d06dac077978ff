import type { AgentRecord } from "../agents/agent-record.ts";
import { reportedText } from "../blockers/blockers.ts";
import type { TransitionRow } from "../kernel/rows.ts";
import { moment } from "../messages/format.ts";

/**
 * Returns what a sleeper waits for, by name: issues by number, checks by name, until when. `slept` = the move by which
 * it fell asleep; its reason is the sleep's reason, a colon, and the names.
 */
export function waitsFor(
  agent: AgentRecord,
  slept: Pick<TransitionRow, "reason"> | null,
  merges: readonly WaitedMerge[],
): string {
  const { sleepReason } = agent;
  const named = sleepReason === null ? "" : afterColon(slept?.reason ?? null, sleepReason);
  const until = agent.dueAt === null ? "" : `, not before ${moment(agent.dueAt)}`;
  switch (sleepReason) {
    case "blocked":
      return blocked(agent, merges);
    case "review":
      return agent.prNumber === null ? "waits for a review" : `waits for a review of #${agent.prNumber}`;
    case "question":
      return `waits for an answer${named}`;
    case "approval":
      return agent.breaker === null
        ? `waits for a person's approval${named}`
        : `waits for a person at the limit \`${agent.breaker}\`${named}`;
    case "checks":
      return `waits for the checks${named}`;
    case "provider_limit":
      return `waits for a limit to pass${until}${named}`;
    case "retry":
      return `waits to try again${until}${named}`;
    case "restart":
      return "waits to continue after a restart of the host";
    case "time":
      return `waits for a set time${until}`;
    case "paused":
    case null:
      return "paused";
  }
}

/** A call, or a plan, about which a person has answered; `denied` = refused. */
export interface Answered {
  readonly kind: string;
  readonly state: string;
}

/** Returns what people have answered, in words. */
export function answeredText(rows: readonly Answered[]): string {
  const [first] = rows;
  const what = first?.kind === "plan" ? "its plan" : rows.length > 1 ? "its calls" : "its call";
  const refused = rows.filter(({ state }) => state === "denied").length;
  if (refused > 0 && refused < rows.length) return "its calls are approved in part and refused in part";
  return `${what} ${rows.length > 1 ? "are" : "is"} ${refused === 0 ? "approved" : "refused"}`;
}

/** A blocker that waits only for the merge of its pull request; both as people write them. */
export interface WaitedMerge {
  readonly issue: string;
  readonly pull: string;
}

function blocked(agent: AgentRecord, merges: readonly WaitedMerge[]): string {
  const others = unmerged(agent, merges);
  return [
    ...merges.map(({ issue, pull }) => `waits for ${issue}: its pull request ${pull} waits for a merge`),
    ...(others.length === 0 ? [] : [`waits for ${others.join(", ")} to be closed`]),
  ].join("; ");
}

/** Returns what wakes an agent that waits for other issues: `#4 is merged and #5 is closed`. */
export function blockersEnd(agent: AgentRecord, merges: readonly WaitedMerge[]): string {
  const pulls = merges.map(({ pull }) => pull);
  return [...ends(pulls, "merged"), ...ends(unmerged(agent, merges), "closed")].join(" and ");
}

const ends = (names: readonly string[], done: string) =>
  names.length === 0 ? [] : [`${names.join(", ")} ${names.length === 1 ? "is" : "are"} ${done}`];

function unmerged(agent: AgentRecord, merges: readonly WaitedMerge[]): readonly string[] {
  return reportedText(agent).filter((issue) => !merges.some((merge) => merge.issue === issue));
}

function afterColon(reason: string | null, sleepReason: string): string {
  const start = `${sleepReason}: `;
  return reason?.startsWith(start) && reason.length > start.length ? `: ${reason.slice(start.length)}` : "";
}
