import type { SprintRecord } from "../../domain/planning/sprint.ts";
import { goalComment, sprintComment } from "../../domain/planning/sprint-comment.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { isOpenTask } from "../../domain/tasks/task-record.ts";
import { issueEffect } from "../kernel/effect-rows.ts";
import type { StepContext } from "../kernel/engine-context.ts";
import { renewComments } from "../status/renew-comments.ts";
import { trackedOn, workOf } from "./plan-of.ts";
import { agentsOfSprint } from "./sprint-of.ts";

type Moved = StepContext["moved"][number];

/** Machines whose transitions a goal's status comment shows; it does not show those of runs. */
const SHOWN_MACHINES = ["agent", "task", "sprint", "goal"];

/**
 * Requests comments for people after transitions of goals and sprints: a new comment at a checkpoint or an
 * end, and an update of each affected goal's status comment.
 */
export async function notifyPlanChanges(tx: StepContext): Promise<void> {
  const { tables, request } = tx;
  const shownMoves = tx.moved.filter(({ machine }) => SHOWN_MACHINES.includes(machine));
  for (const move of shownMoves) {
    if (move.machine === "sprint" && move.event !== "OPEN") await commentOnSprint(tx, move);
    if (move.machine === "goal" && move.event !== "OPEN") await commentOnGoal(tx, move);
  }
  const last = shownMoves.at(-1);
  const cause =
    last === undefined
      ? request.milestone === undefined
        ? null
        : request.delivery
      : `${last.machine}-${last.id}-v${last.version}`;
  if (cause === null) return;
  for (const issue of await trackingIssues(tx, shownMoves))
    await add(tables, request, issue, { kind: "status_comment" }, `goal-news:${cause}:#${issue}`);
}

/**
 * Returns the tracking issues of goals in progress to which the request's issue belongs, and of goals and
 * sprints with a transition.
 */
async function trackingIssues(
  { tables, request }: StepContext,
  shownMoves: readonly Moved[],
): Promise<ReadonlySet<number>> {
  const { records } = tables;
  const { repositoryId, issue } = request;
  const issues = new Set<number>();
  for (const { machine, id } of shownMoves) {
    const sprint = machine === "sprint" ? await records.get("sprint", id) : undefined;
    const on = sprint === undefined ? null : await trackedOn(tables, sprint);
    const goal = machine === "goal" ? await records.get("goal", id) : undefined;
    for (const one of [on, goal?.issue ?? null]) if (one !== null) issues.add(one);
  }
  const goals = await records.find("goal", { repositoryId, state: "IN_PROGRESS" });
  if (goals.length === 0) return issues;
  const task = (await records.find("task", { repositoryId, issue })).at(-1);
  const sprint = typeof task?.sprintId === "number" ? await records.get("sprint", task.sprintId) : undefined;
  for (const { id, issue: tracking, parts } of goals)
    if (tracking === issue || parts.includes(issue) || sprint?.goalId === id) issues.add(tracking);
  return issues;
}

async function commentOnSprint({ tables, request }: StepContext, { id, version }: Moved): Promise<void> {
  const sprint = await tables.records.get("sprint", id);
  if (sprint === undefined) return;
  const resting = await agentsOfSprint(tables, sprint);
  await renewComments(tables, resting, { cause: `sprint-${id}-${version}`, at: request.at });
  const on = await trackedOn(tables, sprint);
  const work = await workOf(tables, sprint.repositoryId, [id]);
  const body = sprintComment(sprint, work, on);
  const issue = await issueOfSprint(tables, sprint);
  if (body === null || issue === null) return;
  const name = `sprint-${id}-${version}`;
  await add(tables, request, issue, { kind: "post_comment", name, body }, name);
}

/**
 * Returns the issue where people read about a sprint: its goal's tracking issue; without a goal, the issue of
 * its oldest open task, or else of its last task.
 */
export async function issueOfSprint(tables: Tables, sprint: SprintRecord): Promise<number | null> {
  const { id } = sprint;
  const on = await trackedOn(tables, sprint);
  if (on !== null) return on;
  const tasks = await tables.records.find("task", { sprintId: id });
  return (tasks.find(isOpenTask) ?? tasks.at(-1))?.issue ?? null;
}

async function commentOnGoal({ tables, request }: StepContext, { id, version }: Moved): Promise<void> {
  const { records } = tables;
  const goal = await records.get("goal", id);
  if (goal === undefined) return;
  const sprints = await records.find("sprint", { goalId: id });
  const ids = sprints.map((sprint) => sprint.id);
  const work = await workOf(tables, goal.repositoryId, ids, goal.parts);
  const body = goalComment(goal, work);
  const name = `goal-${id}-${version}`;
  if (body !== null) await add(tables, request, goal.issue, { kind: "post_comment", name, body }, name);
}

async function add(
  tables: Tables,
  { repositoryId, at }: StepContext["request"],
  issue: number,
  effect: Parameters<typeof issueEffect>[0]["effect"],
  key: string,
): Promise<void> {
  await tables.effects.add([{ ...issueEffect({ repositoryId, issue, effect, at }), key }]);
}
