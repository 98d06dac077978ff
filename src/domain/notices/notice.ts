import type { AgentRecord } from "../agents/agent-record.ts";
import type { NoticeEvent } from "../settings/notices-section.ts";
import type { AtIssue } from "../status/needs-human.ts";

/** What a notice says, in plain text without markup. */
export interface Notice {
  readonly event: NoticeEvent;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** As `owner/name`. */
  readonly repository: string;
  readonly issue: number;
  readonly title: string | null;
  /** How the issue stands, and what its reader can do. */
  readonly text: string;
  /** The issue, or its pull request, on GitHub. */
  readonly url: string;
  /** The page of the agent, where people can open the dashboard. */
  readonly page: string | null;
}

/** Returns what an agent asks of a person; null while it asks nothing. */
export function asked({
  state,
  sleepReason,
  breaker,
}: Pick<AgentRecord, "state" | "sleepReason" | "breaker">): NoticeEvent | null {
  if (state === "ESCALATED") return "escalated";
  if (state !== "SLEEPING") return null;
  if (sleepReason === "question") return "question";
  if (sleepReason !== "approval") return null;
  return breaker === null ? "approval" : "limit";
}

/** Returns whether finished work of an issue waits for a person's review or merge. */
export function isReady({ agents, task, merges }: AtIssue): boolean {
  const isAtWork = agents.some(({ state }) => state === "CREATED" || state === "ACTIVE");
  return !isAtWork && (task === "READY_FOR_REVIEW" || (task === "APPROVED" && !merges));
}
