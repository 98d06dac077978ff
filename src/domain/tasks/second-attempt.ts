import type { GuardContext } from "../agents/agent-event.ts";
import { type AgentRecord, lineOf } from "../agents/agent-record.ts";
import { holdsTask } from "../agents/agent-task.ts";
import { HOUR_MS } from "../breakers/storm.ts";
import type { TaskRecord } from "./task-record.ts";

/**
 * Milliseconds. The cause of the failure may last a while, and failures of several issues become an incident meanwhile.
 */
const SECOND_ATTEMPT_PAUSE_MS = 300_000;

/**
 * Returns true when the host makes one new attempt by itself after this failure: another attempt may succeed, and this
 * coder is the first that failed at its task.
 */
export function beginsAgain(
  agent: AgentRecord,
  { curable = false, around }: { readonly curable?: boolean; readonly around: GuardContext },
): boolean {
  return curable && holdsTask(agent, around) && around.work.failedBy.length === 0;
}

/**
 * Returns true while that attempt is due: the task is as the failure left it, and nobody has made another attempt
 * since.
 */
export function isSecondDue(
  failed: AgentRecord,
  task: Pick<TaskRecord, "state" | "failedBy"> | null,
  agents: readonly AgentRecord[],
): boolean {
  const [first, ...more] = task?.failedBy ?? [];
  const isLast = agents.findLast(({ coder }) => coder)?.id === failed.id;
  return task?.state === "UNCLAIMED" && first === lineOf(failed) && more.length === 0 && isLast;
}

/**
 * Returns when the attempt may start. `storm` = why no more agents may start on its issue within this hour, null where
 * one may.
 */
export function secondAttemptAt(at: number, storm: string | null): number {
  return at + (storm === null ? SECOND_ATTEMPT_PAUSE_MS : HOUR_MS);
}
