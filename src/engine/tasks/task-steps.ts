import type { Move, MoveOf } from "../../domain/kernel/change-set.ts";
import { DEADLOCK } from "../../domain/tasks/escalation.ts";
import { taskMachine } from "../../domain/tasks/task.ts";
import type { TaskEmission, TaskEvent } from "../../domain/tasks/task-event.ts";
import { newTaskRecord, type TaskRecord } from "../../domain/tasks/task-record.ts";
import type { CascadingMoves, StepContext } from "../kernel/engine-context.ts";
import { stepRecord, subjectOf } from "../kernel/step-record.ts";
import { closeMerged } from "./close-issue.ts";
import { labelTask } from "./label-task.ts";

/** Applies one event to a task; null opens a new one. */
export async function stepTask(
  tx: StepContext,
  { id, event }: MoveOf<"task">,
): Promise<readonly CascadingMoves[]> {
  const { records } = tx.tables;
  const before = id === null ? undefined : await records.get("task", id);
  // The webhook of our merge was handled before the merge's answer: nothing is left to do.
  if (event.type === "MERGE" && before?.state === "MERGED") return [];
  const taken = await stepRecord(tx, {
    name: "task",
    machine: taskMachine,
    before,
    event,
    blank: newTaskRecord,
    save: (old, next) => (old === undefined ? records.insert("task", next) : records.save("task", old, next)),
    subject: (task) =>
      task === undefined
        ? subjectOf(tx)
        : { agentId: task.assigneeId, repositoryId: task.repositoryId, issue: task.issue },
    reason: () => taskReason(before, event),
  });
  if (taken === null) return [];
  const { after, moved } = taken;
  await labelTask(tx, after, moved.from);
  await closeMerged(tx, after, moved.from);
  const others: CascadingMoves[] = [];
  for (const follow of tx.context.registry.subscribers.afterTaskStep)
    others.push(...(await follow(tx, { before, after, event })));
  return [...moved.emits.map((emitted) => () => movesOfTask(tx, after, emitted)), ...others];
}

function taskReason(before: TaskRecord | undefined, event: TaskEvent): string | null {
  if (event.type !== "RESCOPE") return "reason" in event ? event.reason : null;
  if (event.rounds === undefined || before?.blockedReason !== DEADLOCK) return null;
  const { by, count } = event.rounds;
  const who = by.map((login) => (login.startsWith("operator:") ? login : `@${login}`)).join(" and ");
  return `${who === "" ? "a person" : who} gives ${count} more ${count === 1 ? "round" : "rounds"} of review`;
}

async function movesOfTask(
  tx: StepContext,
  task: TaskRecord,
  emitted: TaskEmission,
): Promise<readonly Move[]> {
  const { records } = tx.tables;
  switch (emitted.machine) {
    case "task":
      return [{ machine: "task", id: task.id, event: emitted.event }];
    case "review_lease": {
      const [lease] = await records.find("review_lease", { taskId: task.id, state: "HELD" });
      return lease === undefined ? [] : [{ machine: "review_lease", id: lease.id, event: emitted.event }];
    }
    case "assignee": {
      const agent = task.assigneeId === null ? undefined : await records.get("agent", task.assigneeId);
      if (agent === undefined || !["ACTIVE", "SLEEPING"].includes(agent.state)) return [];
      return [{ machine: "agent", id: agent.id, event: emitted.event }];
    }
  }
}
