import type { GuardContext } from "../agents/agent-event.ts";
import { type AgentRecord, lineOf } from "../agents/agent-record.ts";
import { holdsTask } from "../agents/agent-task.ts";
import { HOUR_MS } from "../breakers/storm.ts";
import type { TaskRecord } from "./task-record.ts";

/** What broke the first attempt may last a while, and failures of several issues become an incident meanwhile. */
const SECOND_ATTEMPT_PAUSE_MS = 300_000;

/**
 * True when the host begins one new attempt by itself after this failure: another attempt may cure it, and the coder is
 * the first that failed at its task.
 */
export function beginsAgain(
  agent: AgentRecord,
  { curable = false, around }: { readonly curable?: boolean; readonly around: GuardContext },
): boolean {
  return curable && holdsTask(agent, around) && around.work.failedBy.length === 0;
}

/** That attempt is still due: the task is as the failure left it, and nobody has begun another one since. */
export function isSecondDue(
  failed: AgentRecord,
  task: Pick<TaskRecord, "state" | "failedBy"> | null,
  agents: readonly AgentRecord[],
): boolean {
  const [first, ...more] = task?.failedBy ?? [];
  const isLast = agents.findLast(({ coder }) => coder)?.id === failed.id;
  return task?.state === "UNCLAIMED" && first === lineOf(failed) && more.length === 0 && isLast;
}

/** When it may start. `storm` = why no agent more may start on its issue within this hour, null where one may. */
export function secondAttemptAt(at: number, storm: string | null): number {
  return at + (storm === null ? SECOND_ATTEMPT_PAUSE_MS : HOUR_MS);
}
