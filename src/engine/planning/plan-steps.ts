import type { Move, MoveOf } from "../../domain/kernel/change-set.ts";
import { blankGoal, type GoalEvent, type GoalRecord, goalMachine } from "../../domain/planning/goal.ts";
import {
  blankSprint,
  type SprintEmission,
  type SprintRecord,
  sprintMachine,
} from "../../domain/planning/sprint.ts";
import type { TaskEvent } from "../../domain/tasks/task-event.ts";
import { isOpenTask, type TaskRecord } from "../../domain/tasks/task-record.ts";
import type { CascadingMoves, StepContext, Stepped } from "../kernel/engine-context.ts";
import { stepRecord, subjectOf } from "../kernel/step-record.ts";
import { workOf } from "./plan-of.ts";
import { agentsOfSprint, countTasks } from "./sprint-of.ts";

export async function stepSprint(
  tx: StepContext,
  { id, event }: MoveOf<"sprint">,
): Promise<readonly CascadingMoves[]> {
  const { records } = tx.tables;
  const taken = await stepRecord(tx, {
    name: "sprint",
    machine: sprintMachine,
    before: id === null ? undefined : await records.get("sprint", id),
    event,
    blank: blankSprint,
    save: (old, next) =>
      old === undefined ? records.insert("sprint", next) : records.save("sprint", old, next),
    subject: () => subjectOf(tx),
    reason: (sprint) => sprint.reason,
  });
  return taken === null
    ? []
    : taken.moved.emits.map((emitted) => () => movesOfSprint(tx, taken.after, emitted));
}

async function movesOfSprint(
  tx: StepContext,
  sprint: SprintRecord,
  emitted: SprintEmission,
): Promise<readonly Move[]> {
  if (emitted.machine === "sprint") return tasksDone(tx, sprint.id);
  const agents = await agentsOfSprint(tx.tables, sprint);
  return agents
    .filter((agent) => {
      if (emitted.which === "active") return agent.state === "ACTIVE";
      return emitted.which === "live" || agent.heldBy.includes("sprint");
    })
    .map(({ id }) => ({ machine: "agent", id, event: emitted.event }));
}

/** Adds the move of a sprint that is done once a task of it has ended. */
export async function followTaskOfSprint(
  tx: StepContext,
  { after }: Stepped<TaskRecord, TaskEvent>,
): Promise<readonly CascadingMoves[]> {
  const { sprintId } = after;
  return sprintId === null || isOpenTask(after) ? [] : [() => tasksDone(tx, sprintId)];
}

/** Returns the move TASKS_DONE when the sprint has tasks and none of them is open; else nothing. */
export async function tasksDone(tx: StepContext, sprintId: number): Promise<readonly Move[]> {
  const counted = await countTasks(tx.tables, sprintId);
  if (counted.tasks === 0 || counted.open > 0) return [];
  const event = { type: "TASKS_DONE", at: tx.request.at, actor: "flotilla", ...counted } as const;
  return [{ machine: "sprint", id: sprintId, event }];
}

export async function stepGoal(
  tx: StepContext,
  { id, event }: MoveOf<"goal">,
): Promise<readonly CascadingMoves[]> {
  const { records } = tx.tables;
  const before = id === null ? undefined : await records.get("goal", id);
  const taken = await stepRecord(tx, {
    name: "goal",
    machine: goalMachine,
    before,
    event: event.type === "COMPLETE" && before !== undefined ? await recounted(tx, before, event) : event,
    blank: blankGoal,
    save: (old, next) => (old === undefined ? records.insert("goal", next) : records.save("goal", old, next)),
    subject: (goal) =>
      goal === undefined
        ? subjectOf(tx)
        : { agentId: null, repositoryId: goal.repositoryId, issue: goal.issue },
    reason: (goal) => goal.reason,
  });
  if (taken === null) return [];
  const { after, moved } = taken;
  return moved.emits.map((emitted) => async () => {
    const state = ["IN_PROGRESS", "CHECKPOINT"] as const;
    const sprints = await records.find("sprint", { goalId: after.id, state });
    return sprints.map(({ id: sprintId }) => ({
      machine: "sprint",
      id: sprintId,
      event: emitted.event,
    }));
  });
}

/** GitHub was read before; the tasks are counted in the transaction. */
async function recounted(
  { tables }: StepContext,
  { id, repositoryId, parts }: GoalRecord,
  event: Extract<GoalEvent, { type: "COMPLETE" }>,
): Promise<GoalEvent> {
  const sprints = await tables.records.find("sprint", { goalId: id });
  const ids = sprints.map((sprint) => sprint.id);
  const { tasks } = await workOf(tables, repositoryId, ids, parts);
  return { ...event, openTasks: tasks.filter(isOpenTask).length };
}
