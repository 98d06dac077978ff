import { isLive } from "../../domain/agents/agent-record.ts";
import type { Move } from "../../domain/kernel/change-set.ts";
import { blankGoal, type GoalEvent, type GoalRecord, goalMachine } from "../../domain/planning/goal.ts";
import {
  blankSprint,
  type SprintEmission,
  type SprintEvent,
  type SprintRecord,
  sprintMachine,
} from "../../domain/planning/sprint.ts";
import {
  blankReviewLease,
  type ReviewLeaseEvent,
  type ReviewLeaseRecord,
  reviewLeaseMachine,
} from "../../domain/review/review-lease.ts";
import { DEADLOCK } from "../../domain/tasks/escalation.ts";
import { isOpenTask, newTaskRecord, type TaskRecord, taskMachine } from "../../domain/tasks/task.ts";
import type { TaskEmission, TaskEvent } from "../../domain/tasks/task-event.ts";
import { workOf } from "../planning/plan-of.ts";
import { agentsOfSprint, countTasks } from "../planning/sprint-of.ts";
import { followLease, followTask } from "../review/follow-moves.ts";
import { labelTask } from "../tasks/label-task.ts";
import { type CascadingMoves, type StepContext, stepRecord, subjectOf } from "./step-context.ts";

/** One event of a task; null opens a new one. When it ends, its sprint may be done. */
export async function stepTask(
  turn: StepContext,
  id: number | null,
  event: TaskEvent,
): Promise<readonly CascadingMoves[]> {
  const { records } = turn.tables;
  const before = id === null ? undefined : await records.get("task", id);
  // The webhook of our merge came before its answer: nothing is left to do.
  if (event.type === "MERGE" && before?.state === "MERGED") return [];
  const taken = await stepRecord(turn, {
    name: "task",
    machine: taskMachine,
    before,
    event,
    blank: newTaskRecord,
    save: (old, next) => (old === undefined ? records.insert("task", next) : records.save("task", old, next)),
    subject: (task) =>
      task === undefined
        ? subjectOf(turn)
        : { agentId: task.assigneeId, repositoryId: task.repositoryId, issue: task.issue },
    reason: () => taskReason(before, event),
  });
  if (taken === null) return [];
  const { after, moved } = taken;
  await labelTask(turn, after, moved.from);
  const { sprintId } = after;
  const review = await followTask(turn, before, after, event);
  return [
    ...moved.emits.map((emitted) => () => movesOfTask(turn, after, emitted)),
    ...review,
    ...(sprintId === null || isOpenTask(after) ? [] : [() => tasksDone(turn, sprintId)]),
  ];
}

function taskReason(before: TaskRecord | undefined, event: TaskEvent): string | null {
  if (event.type !== "RESCOPE") return "reason" in event ? event.reason : null;
  if (event.rounds === undefined || before?.blockedReason !== DEADLOCK) return null;
  const { by, count } = event.rounds;
  const who = by.map((login) => (login.startsWith("operator:") ? login : `@${login}`)).join(" and ");
  return `${who === "" ? "a person" : who} gives ${count} more ${count === 1 ? "round" : "rounds"} of review`;
}

async function movesOfTask(
  turn: StepContext,
  task: TaskRecord,
  emitted: TaskEmission,
): Promise<readonly Move[]> {
  const { records } = turn.tables;
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

/** One event of the lease of a task's review; null = the lease of the task that a CLAIM names, made with the first one. */
export async function stepReviewLease(
  turn: StepContext,
  id: number | null,
  event: ReviewLeaseEvent,
): Promise<readonly CascadingMoves[]> {
  const { records } = turn.tables;
  const before = id === null ? await leaseFor(turn, event) : await records.get("review_lease", id);
  const taken = await stepRecord(turn, {
    name: "review_lease",
    machine: reviewLeaseMachine,
    before,
    event,
    blank: undefined,
    save: async (old, next) => (old === undefined ? next : records.save("review_lease", old, next)),
    subject: (lease) => subjectOf(turn, lease?.holderId ?? null),
    reason: () => ("why" in event ? event.why : null),
  });
  if (taken !== null) await followLease(turn, taken.after);
  const holderId = before?.holderId ?? null;
  if (taken === null || holderId === null) return [];
  return taken.moved.emits.map((emitted) => async () => {
    const holder = await records.get("agent", holderId);
    return holder !== undefined && isLive(holder)
      ? [{ machine: "agent", id: holder.id, event: emitted.event }]
      : [];
  });
}

async function leaseFor(turn: StepContext, event: ReviewLeaseEvent): Promise<ReviewLeaseRecord | undefined> {
  if (event.type !== "CLAIM") return undefined;
  const { records } = turn.tables;
  const { taskId } = event;
  const [known] = await records.find("review_lease", { taskId });
  return known ?? records.insert("review_lease", { ...blankReviewLease, taskId });
}

export async function stepSprint(
  turn: StepContext,
  id: number | null,
  event: SprintEvent,
): Promise<readonly CascadingMoves[]> {
  const { records } = turn.tables;
  const taken = await stepRecord(turn, {
    name: "sprint",
    machine: sprintMachine,
    before: id === null ? undefined : await records.get("sprint", id),
    event,
    blank: blankSprint,
    save: (old, next) =>
      old === undefined ? records.insert("sprint", next) : records.save("sprint", old, next),
    subject: () => subjectOf(turn),
    reason: (sprint) => sprint.reason,
  });
  return taken === null
    ? []
    : taken.moved.emits.map((emitted) => () => movesOfSprint(turn, taken.after, emitted));
}

async function movesOfSprint(
  turn: StepContext,
  sprint: SprintRecord,
  emitted: SprintEmission,
): Promise<readonly Move[]> {
  if (emitted.machine === "sprint") return tasksDone(turn, sprint.id);
  const agents = await agentsOfSprint(turn.tables, sprint);
  return agents
    .filter((agent) => {
      if (emitted.which === "active") return agent.state === "ACTIVE";
      return emitted.which === "live" || agent.heldBy.includes("sprint");
    })
    .map(({ id }) => ({ machine: "agent", id, event: emitted.event }));
}

/** Asked only when no task is open any more: a sprint with open tasks is no news. */
export async function tasksDone(turn: StepContext, sprintId: number): Promise<readonly Move[]> {
  const counted = await countTasks(turn.tables, sprintId);
  if (counted.tasks === 0 || counted.open > 0) return [];
  const event = { type: "TASKS_DONE", at: turn.fact.at, actor: "flotilla", ...counted } as const;
  return [{ machine: "sprint", id: sprintId, event }];
}

export async function stepGoal(
  turn: StepContext,
  id: number | null,
  event: GoalEvent,
): Promise<readonly CascadingMoves[]> {
  const { records } = turn.tables;
  const before = id === null ? undefined : await records.get("goal", id);
  const taken = await stepRecord(turn, {
    name: "goal",
    machine: goalMachine,
    before,
    event: event.type === "COMPLETE" && before !== undefined ? await recounted(turn, before, event) : event,
    blank: blankGoal,
    save: (old, next) => (old === undefined ? records.insert("goal", next) : records.save("goal", old, next)),
    subject: (goal) =>
      goal === undefined
        ? subjectOf(turn)
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

/** GitHub's side was read before; the tasks are counted in the transaction. */
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
