import { type AgentRecord, type AgentState, isLive } from "../agents/agent-record.ts";
import { MERGES_ITSELF, TAKE_OVER } from "../merge-queue/merge-text.ts";
import { type RiskAbove, riskAboveOf, riskAboveWords } from "../merge-queue/risk-above.ts";
import { DEADLOCK, OUT_OF_DEADLOCK } from "./escalation.ts";
import { adviceIfGone } from "./issue-gone.ts";
import type { TaskRecord, TaskState } from "./task-record.ts";
import { workReason } from "./work-reason.ts";

const REPLANS = "say what to do differently, then `/flotilla start` or `/flotilla retry`";

export interface Merging {
  /** The issue whose work is just before it in the merge queue; null where there is none, or it is not known. */
  readonly ahead: number | null;
}

/** For the text about a single agent, which names no other issues. */
export const BY_ITSELF: Merging = { ahead: null };

/** What is known of work besides its state. */
export interface WorkFacts {
  readonly pull: number | null;
  /** Whether a reviewer is at work, or about to be. */
  readonly isReviewed: boolean;
  /** Why the task is BLOCKED. */
  readonly blockedReason?: string | null;
  /** Why the task is ABANDONED. */
  readonly abandonedReason?: string | null;
  /** False where no coder of the issue lives. */
  readonly hasCoder?: boolean;
  /** The state of the task's coder. */
  readonly coderState?: AgentState | undefined;
  /** Where Flotilla merges by itself. */
  readonly merging?: Merging | null | undefined;
  /** The risk for which a person merges all the same. */
  readonly riskAbove?: RiskAbove | null | undefined;
}

/** Returns the facts that the agents of the issue add. */
export function workFactsOf(
  task: TaskRecord,
  agents: readonly Pick<AgentRecord, "id" | "coder" | "state" | "prNumber">[],
): WorkFacts {
  const { assigneeId, blockedReason, abandonedReason } = task;
  const holder = agents.find(({ id }) => id === assigneeId);
  return {
    pull: holder?.prNumber ?? null,
    isReviewed: agents.some(({ coder, state }) => !coder && (state === "CREATED" || state === "ACTIVE")),
    blockedReason,
    abandonedReason,
    hasCoder: agents.some((agent) => agent.coder && isLive(agent)),
    coderState: holder?.state,
    riskAbove: riskAboveOf(task),
  };
}

export const pullOf = (pull: number | null) => (pull === null ? "its work" : `#${pull}`);

/**
 * Returns the command for a new attempt. A retry of BLOCKED work needs its coder; another role is started by its name.
 */
export function attemptAgain(
  { role, coder }: { readonly role: string; readonly coder: boolean },
  task: TaskState | null,
): string {
  return task === "BLOCKED" && !coder ? `\`/flotilla start ${role}\`` : "`/flotilla retry`";
}

/** Returns what finished work still waits for, in words. */
export function workStands(task: TaskState | null, pull: number | null): string {
  if (task === "APPROVED") return `waits for the merge of ${pullOf(pull)}, which is approved`;
  return `waits for a review${pull === null ? "" : ` of #${pull}`}`;
}

/** Returns what comes next for the work of an issue, and what a person does where one must. */
export function nextOfWork(
  task: TaskState,
  {
    pull,
    isReviewed,
    blockedReason,
    abandonedReason,
    hasCoder = true,
    coderState,
    merging,
    riskAbove,
  }: WorkFacts,
): string {
  switch (task) {
    case "DRAFT":
      return "remove the label `draft`, or say `/flotilla start`";
    case "UNCLAIMED":
      return hasCoder
        ? "nothing: its agent takes it when it starts"
        : "nothing: an agent takes it when one starts; `/flotilla start` starts one";
    case "CLAIMED":
      if (coderState === "ESCALATED") return "answer its coder, which needs a person";
      return coderState === "SLEEPING"
        ? "nothing: its coder sleeps and continues later"
        : "nothing: its coder continues with it";
    case "READY_FOR_REVIEW":
      return isReviewed ? "nothing: an agent reviews it" : `review ${pullOf(pull)} on GitHub`;
    case "INTEGRATION_FAILED":
      return hasCoder
        ? "nothing: its coder fixes that, then it is reviewed again"
        : `no agent is fixing this: ${TAKE_OVER}`;
    case "REJECTED":
      return hasCoder
        ? "nothing: its coder works on it again"
        : "no agent works on this: `/flotilla start [role]` has an agent work on it";
    case "APPROVED":
      if (riskAbove)
        return `merge ${pullOf(pull)} on GitHub when its diff is right: ${riskAboveWords(riskAbove)}`;
      return merging ? mergedItself(pull, merging) : `merge ${pullOf(pull)} on GitHub; ${MERGES_ITSELF}`;
    case "BLOCKED":
      return `${blockedReason === DEADLOCK ? OUT_OF_DEADLOCK : REPLANS}; \`/flotilla cancel\` gives it up`;
    case "MERGED":
      return "nothing: the work is done";
    case "SUPERSEDED":
      return "nothing: another issue takes its place";
    case "ABANDONED":
      return (
        adviceIfGone(abandonedReason) ??
        "to start again, say `/flotilla start` on the issue (reopen it first if it is closed)"
      );
  }
}

function mergedItself(pull: number | null, { ahead }: Merging): string {
  const behind = ahead === null ? "" : `, behind #${ahead}`;
  return `nothing: Flotilla merges ${pullOf(pull)} when its turn in the merge queue comes${behind}; \`/flotilla why\` says what it waits for`;
}

/** Returns the state of an issue's work, why, and what comes next, on one line. */
export function workLine(
  task: TaskRecord,
  agents: Parameters<typeof workFactsOf>[1],
  merging: Merging | null = null,
): string {
  const reason = workReason(task);
  const why = reason === null ? "" : `: ${reason.replace(/\s+/g, " ").trim()}`;
  return `the work of #${task.issue} is ${task.state}${why} → ${nextOfWork(task.state, { ...workFactsOf(task, agents), merging })}`;
}
