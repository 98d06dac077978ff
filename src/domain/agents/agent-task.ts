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

/**
 * Claims the task for a coder that starts or wakes, by the task's state; nothing for other roles, or where it holds the
 * task.
 */
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
      // The coder's own guard has checked the blockers.
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

/** Returns whether the task is in a state that a coder holds, and releases when it leaves. */
export function isHeldTask(state: GuardContext["task"]): boolean {
  return HELD.includes(state);
}

/** Returns true when the coder holds the task. */
export const holdsTask = (agent: AgentRecord, { task, work }: GuardContext): boolean =>
  agent.coder && work.assigneeId === agent.id && isHeldTask(task);

/**
 * Returns true when the coder releases the task as it leaves. A failed merge stays for any other coder to take over.
 */
const leavesTask = (agent: AgentRecord, around: GuardContext): boolean =>
  around.task !== "INTEGRATION_FAILED" && holdsTask(agent, around);

/** Releases the task, if this coder holds it. */
export function releasesTask(agent: AgentRecord, { at, actor, around }: When): readonly AgentEmission[] {
  if (!leavesTask(agent, around)) return [];
  return [toTask({ at, actor, type: "RELEASE", failed: null })];
}

/** Releases the task too, and gives up this coder's work that needs replanning: nobody else would continue it. */
export function givesUpTask(agent: AgentRecord, when: When): readonly AgentEmission[] {
  const { at, actor, around } = when;
  const isItsOwn = agent.coder && around.task === "BLOCKED" && around.work.assigneeId === agent.id;
  return isItsOwn ? [toTask({ at, actor, type: "ABANDON" })] : releasesTask(agent, when);
}

/**
 * Records that this coder failed: after the first failure the task is free again, after another coder's it needs
 * replanning.
 */
export function failsTask(agent: AgentRecord, { at, actor, around }: When): readonly AgentEmission[] {
  if (!leavesTask(agent, around)) return [];
  const failed = lineOf(agent);
  return around.task === "CLAIMED" && around.work.failedBy.some((line) => line !== failed)
    ? [toTask({ at, actor, type: "BLOCK", cause: "coders_failed", failed })]
    : [toTask({ at, actor, type: "RELEASE", failed })];
}

/** Returns true while the coder works on the task, so that it can report that the task needs replanning. */
export function isAtWorkOn(
  agent: Pick<AgentRecord, "id" | "coder">,
  task: { readonly state: GuardContext["task"]; readonly assigneeId: number | null } | undefined,
): boolean {
  return agent.coder && task?.state === "CLAIMED" && task.assigneeId === agent.id;
}

/** Marks the task as in need of replanning, in its coder's words. */
export function blocksTask({
  at,
  actor,
  reason,
}: Omit<When, "around"> & { readonly reason: string }): AgentEmission {
  return toTask({ at, actor, type: "BLOCK", cause: "replanning", reason });
}

/**
 * Returns the newest commit of the agent's work: its own or, where it continues the pull request of the attempt before
 * it, the commit that was up for review there. Null: there is no work yet.
 */
export function newestCommit(
  agent: Pick<AgentRecord, "id" | "line" | "headCommit" | "prNumber">,
  { line, reviewCommit }: Pick<GuardContext["work"], "line" | "reviewCommit">,
): string | null {
  return agent.headCommit ?? (agent.prNumber !== null && line === lineOf(agent) ? reviewCommit : null);
}

/** Puts the commit up for review, unless the task is already. */
export function requestsReview(agent: AgentRecord, { at, actor, around }: When): readonly AgentEmission[] {
  if (!agent.coder || around.task !== "CLAIMED") return [];
  return [toTask({ at, actor, type: "REQUEST_REVIEW", commit: newestCommit(agent, around.work) })];
}
