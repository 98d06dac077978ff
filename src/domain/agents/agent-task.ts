import { NO_GRANT } from "../commands/extension.ts";
import type { TaskEvent } from "../tasks/task-event.ts";
import type { AgentEmission } from "./agent-emission.ts";
import type { GuardContext } from "./agent-event.ts";
import { type AgentRecord, type Grant, lineOf } from "./agent-record.ts";

interface When {
  readonly at: number;
  readonly actor: string;
  readonly around: GuardContext;
}

const toTask = (event: TaskEvent): AgentEmission => ({ machine: "task", event });

/** How a coder that goes to work takes its task, by where the task stands; nothing for the others, or where it has it. */
export function takesTask(
  agent: AgentRecord,
  { at, actor, around, grant }: When & { readonly grant?: Grant | null },
): readonly AgentEmission[] {
  if (!agent.coder) return [];
  const { by, rounds } = grant ?? NO_GRANT;
  const line = lineOf(agent);
  const { leaseMs, maxCycles } = around.work;
  const taking = { at, actor, agentId: agent.id, line, worktree: agent.name, leaseUntil: at + leaseMs };
  switch (around.task) {
    case "UNCLAIMED":
      // Whoever goes to work was let through by its own guard: nothing blocks it.
      return [toTask({ ...taking, type: "CLAIM", openBlockers: [] })];
    case "BLOCKED":
      return [
        toTask({
          at,
          actor,
          type: "RESCOPE",
          rounds: { by, count: rounds === 0 ? maxCycles : rounds, maxCycles },
        }),
        toTask({ ...taking, type: "CLAIM", openBlockers: [] }),
      ];
    case "REJECTED":
      return around.work.line === line
        ? [toTask({ ...taking, type: "RECLAIM", maxCycles })]
        : [toTask({ ...taking, type: "REASSIGN" })];
    case "INTEGRATION_FAILED":
      return [toTask({ ...taking, type: "CLAIM_FIX" })];
    default:
      return [];
  }
}

const HELD: readonly GuardContext["task"][] = [
  "CLAIMED",
  "READY_FOR_REVIEW",
  "REJECTED",
  "APPROVED",
  "INTEGRATION_FAILED",
];

/** Where a coder may hold its task, and releases it when it leaves. */
export function isHeldTask(state: GuardContext["task"]): boolean {
  return HELD.includes(state);
}

/** It is the coder that has the task in hand. */
export const holdsTask = (agent: AgentRecord, { task, work }: GuardContext): boolean =>
  agent.coder && work.assigneeId === agent.id && isHeldTask(task);

/** It leaves the task free. A failed merge stays as it is: any other coder may take the fix over. */
const leavesTask = (agent: AgentRecord, around: GuardContext): boolean =>
  around.task !== "INTEGRATION_FAILED" && holdsTask(agent, around);

/** Nobody works on the task any more, if it was this coder that did. */
export function releasesTask(agent: AgentRecord, { at, actor, around }: When): readonly AgentEmission[] {
  if (!leavesTask(agent, around)) return [];
  return [toTask({ at, actor, type: "RELEASE", failed: null })];
}

/** Returns the same, where work of its that needs replanning is given up: nobody else would take it up. */
export function givesUpTask(agent: AgentRecord, when: When): readonly AgentEmission[] {
  const { at, actor, around } = when;
  const isItsOwn = agent.coder && around.task === "BLOCKED" && around.work.assigneeId === agent.id;
  return isItsOwn ? [toTask({ at, actor, type: "ABANDON" })] : releasesTask(agent, when);
}

/** This coder failed at the task: the first time it is free again, after another's failure it needs replanning. */
export function failsTask(agent: AgentRecord, { at, actor, around }: When): readonly AgentEmission[] {
  if (!leavesTask(agent, around)) return [];
  const failed = lineOf(agent);
  return around.task === "CLAIMED" && around.work.failedBy.some((line) => line !== failed)
    ? [toTask({ at, actor, type: "BLOCK", cause: "coders_failed", failed })]
    : [toTask({ at, actor, type: "RELEASE", failed })];
}

/** The coder works on the task, so that it can say that the task needs replanning. */
export function isAtWorkOn(
  agent: Pick<AgentRecord, "id" | "coder">,
  task: { readonly state: GuardContext["task"]; readonly assigneeId: number | null } | undefined,
): boolean {
  return agent.coder && task?.state === "CLAIMED" && task.assigneeId === agent.id;
}

/** It needs replanning, in its coder's words. */
export function blocksTask({
  at,
  actor,
  reason,
}: Omit<When, "around"> & { readonly reason: string }): AgentEmission {
  return toTask({ at, actor, type: "BLOCK", cause: "replanning", reason });
}

/**
 * The newest commit of its work: its own, or, where it goes on with the pull request of the attempt before it, the one
 * that was up for review there. Null: there is no work yet.
 */
export function newestCommit(
  agent: Pick<AgentRecord, "id" | "line" | "headCommit" | "prNumber">,
  { line, reviewCommit }: Pick<GuardContext["work"], "line" | "reviewCommit">,
): string | null {
  return agent.headCommit ?? (agent.prNumber !== null && line === lineOf(agent) ? reviewCommit : null);
}

/** The commit is up for review, where the task is not yet. */
export function requestsReview(agent: AgentRecord, { at, actor, around }: When): readonly AgentEmission[] {
  if (!agent.coder || around.task !== "CLAIMED") return [];
  return [toTask({ at, actor, type: "REQUEST_REVIEW", commit: newestCommit(agent, around.work) })];
}
