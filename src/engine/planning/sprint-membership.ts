import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { isLive } from "../../domain/agents/agent-record.ts";
import type { Move } from "../../domain/kernel/change-set.ts";
import { dueAtOf, type Milestone } from "../../domain/planning/milestone.ts";
import type { SprintRecord } from "../../domain/planning/sprint.ts";
import type { TaskRecord } from "../../domain/tasks/task-record.ts";
import type { ApplyMove, StepContext } from "../kernel/engine-context.ts";
import { taskOf } from "../kernel/find-records.ts";
import { goalTrackedBy, OPEN_SPRINT } from "./plan-of.ts";
import { tasksDone } from "./plan-steps.ts";

/**
 * Puts the open task of the request's issue into the sprint of its milestone on GitHub, and the sprint of a
 * tracking issue's milestone into its goal. Runs with each event of the issue, so that the next webhook makes
 * up for a lost one.
 */
export async function followMilestone(tx: StepContext, apply: ApplyMove): Promise<void> {
  const { repositoryId, issue, milestone } = tx.request;
  if (milestone === undefined) return;
  const task = await taskOf(tx.tables, repositoryId, issue);
  if (task !== undefined) await followOfTask(tx, apply, task, milestone);
  await followOfGoal(tx, milestone);
}

/** Puts a new task into its sprint before its agent starts: a sprint at CHECKPOINT holds the agent. */
export async function followOpenedTask(
  tx: StepContext,
  apply: ApplyMove,
  { machine, event }: Move,
): Promise<void> {
  if (machine === "task" && event.type === "OPEN") await followMilestone(tx, apply);
}

/** Applies a changed milestone before the request's own moves: a deleted milestone has no tasks any more. */
export async function followChange(tx: StepContext, apply: ApplyMove): Promise<void> {
  const change = tx.request.changedMilestone;
  if (change === undefined) return;
  if (change.gone) await leaveMilestone(tx, apply, change.milestone.number);
  else await followEdit(tx, change.milestone);
}

/** Copies a milestone's title and due date to its sprint. */
async function followEdit(tx: StepContext, milestone: Milestone): Promise<SprintRecord | undefined> {
  const { records } = tx.tables;
  const { repositoryId } = tx.request;
  const { number, title } = milestone;
  const [sprint] = await records.find("sprint", { repositoryId, milestone: number, state: OPEN_SPRINT });
  const dueAt = dueAtOf(milestone);
  if (sprint === undefined || (sprint.title === title && sprint.dueAt === dueAt)) return sprint;
  return records.save("sprint", sprint, { ...sprint, title, dueAt });
}

/** Takes all tasks out of a deleted milestone; ended ones stay in the sprint's record. */
async function leaveMilestone(tx: StepContext, apply: ApplyMove, milestone: number): Promise<void> {
  const { records } = tx.tables;
  const { repositoryId } = tx.request;
  const sprints = await records.find("sprint", { repositoryId, milestone, state: OPEN_SPRINT });
  for (const sprint of sprints)
    for (const { issue } of await records.find("task", { sprintId: sprint.id })) {
      const task = await taskOf(tx.tables, repositoryId, issue);
      if (task?.sprintId === sprint.id) await join(tx, apply, task, null);
    }
}

async function followOfTask(
  tx: StepContext,
  apply: ApplyMove,
  task: TaskRecord,
  milestone: Milestone | null,
): Promise<void> {
  const { records } = tx.tables;
  const old = task.sprintId === null ? undefined : await records.get("sprint", task.sprintId);
  const known = milestone === null ? undefined : await followEdit(tx, milestone);
  // Work reopened after its sprint has ended does not join it again: a person ended the sprint.
  if (milestone !== null && old?.milestone === milestone.number) return;
  if (milestone === null && old === undefined) return;
  const sprint = milestone === null ? null : (known ?? (await opened(tx, apply, milestone)));
  await join(tx, apply, task, sprint);
  if (old !== undefined) for (const move of await tasksDone(tx, old.id)) await apply(move);
}

async function opened(tx: StepContext, apply: ApplyMove, milestone: Milestone): Promise<SprintRecord | null> {
  const { records } = tx.tables;
  const { repositoryId, at } = tx.request;
  const { number, title } = milestone;
  const goals = await records.find("goal", { repositoryId, milestone: number, state: "IN_PROGRESS" });
  await apply({
    machine: "sprint",
    id: null,
    event: {
      type: "OPEN",
      at,
      actor: "flotilla",
      repositoryId,
      goalId: goals[0]?.id ?? null,
      milestone: number,
      title,
      dueAt: dueAtOf(milestone),
    },
  });
  const made = await records.find("sprint", { repositoryId, milestone: number, state: OPEN_SPRINT });
  return made[0] ?? null;
}

/**
 * Moves the task into the sprint (or none). The issue's agents pause in a sprint at CHECKPOINT, and continue
 * when their task leaves it.
 */
async function join(
  tx: StepContext,
  apply: ApplyMove,
  task: TaskRecord,
  sprint: SprintRecord | null,
): Promise<void> {
  const { records } = tx.tables;
  const { repositoryId, at } = tx.request;
  await records.save("task", task, { ...task, sprintId: sprint?.id ?? null });
  const agents = await records.find("agent", { repositoryId, issue: task.issue });
  const stopped = sprint?.state === "CHECKPOINT";
  for (const agent of agents.filter(isLive)) {
    const event = stopped ? pause(agent, sprint, at) : resume(agent, at);
    if (event !== null) await apply({ machine: "agent", id: agent.id, event });
  }
}

type AgentMove = Extract<Move, { machine: "agent" }>["event"];

function pause({ state }: AgentRecord, { title }: SprintRecord, at: number): AgentMove | null {
  if (state !== "ACTIVE") return null;
  const why = `its sprint "${title}" is at CHECKPOINT`;
  return { type: "PAUSE", at, actor: "flotilla", holder: "sprint", why };
}

function resume({ heldBy }: AgentRecord, at: number): AgentMove | null {
  if (!heldBy.includes("sprint")) return null;
  return { type: "RESUME", at, actor: "flotilla", holders: ["sprint"], grant: null };
}

/**
 * Gives the goal its tracking issue's milestone and that milestone's sprint, unless the sprint belongs to
 * another goal.
 */
async function followOfGoal(tx: StepContext, milestone: Milestone | null): Promise<void> {
  const { records } = tx.tables;
  const { repositoryId } = tx.request;
  const goal = await goalTrackedBy(tx.tables, tx.request);
  const number = milestone?.number ?? null;
  if (goal === undefined) return;
  if (goal.milestone !== number) await records.save("goal", goal, { ...goal, milestone: number });
  const mine = await records.find("sprint", { goalId: goal.id, state: OPEN_SPRINT });
  for (const sprint of mine)
    if (sprint.milestone !== number) await records.save("sprint", sprint, { ...sprint, goalId: null });
  if (number === null) return;
  const there = await records.find("sprint", { repositoryId, milestone: number, state: OPEN_SPRINT });
  for (const sprint of there)
    if (sprint.goalId === null) await records.save("sprint", sprint, { ...sprint, goalId: goal.id });
}
