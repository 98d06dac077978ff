import { QUIET_MS } from "../../domain/kernel/effect.ts";
import { isFirstWork } from "../../domain/tasks/state-label.ts";
import type { TaskRecord } from "../../domain/tasks/task-record.ts";
import { issueEffect } from "../kernel/effect-rows.ts";
import type { StepContext } from "../kernel/engine-context.ts";

/**
 * Adds the label effect for a task that has moved; does nothing when its state is the same or its issue is
 * gone.
 */
export async function labelTask(tx: StepContext, task: TaskRecord, from: string): Promise<void> {
  if (task.state === from || tx.request.gone === true) return;
  const { id, version, repositoryId, issue } = task;
  const { at } = tx.request;
  const later = isFirstWork(from, task.state) ? { notBefore: at + QUIET_MS } : {};
  const row = issueEffect({ repositoryId, issue, effect: { kind: "task_label", ...later }, at });
  await tx.tables.effects.add([{ ...row, key: `task-${id}:v${version}:label` }]);
}
