import type { Move } from "../../domain/kernel/change-set.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import type { GoalRecord } from "../../domain/planning/goal.ts";
import type { GoalFacts } from "../../domain/planning/goal-progress.ts";
import { isDone } from "../../domain/planning/plan.ts";
import type { RelatedIssue } from "../../domain/ports/github.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { isOpenTask } from "../../domain/tasks/task-record.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { workOf } from "./plan-of.ts";

/** A goal's facts, the moves that follow from them, and the rows to write with its status comment. */
export interface GoalReading {
  readonly facts: GoalFacts;
  readonly moves: readonly Move[];
  readonly also: (tables: Tables) => Promise<void>;
}

/**
 * Reads the latest goal that the issue tracks, with its sub-issues from GitHub; null where the issue tracks
 * none.
 */
export async function readGoal(
  { store, github, clock }: EngineContext,
  repository: RepositoryRow,
  issue: number,
): Promise<GoalReading | null> {
  const goal = (await store.records.find("goal", { repositoryId: repository.id, issue })).at(-1);
  if (goal === undefined) return null;
  const subIssues = await github.subIssues(repository, issue);
  const parts = partsHere(subIssues, repository);
  const sprints = await store.records.find("sprint", { goalId: goal.id });
  const ids = sprints.map(({ id }) => id);
  const facts: GoalFacts = {
    ...(await workOf(store, repository.id, ids, parts)),
    goal,
    sprints,
    subIssues: subIssues.length,
    openSubIssues: subIssues.filter(({ state }) => state === "open").length,
  };
  return { facts, moves: completes(facts, clock.now()), also: (tables) => keepParts(tables, goal, parts) };
}

function partsHere(subIssues: readonly RelatedIssue[], repository: RepositoryRow): readonly number[] {
  const here = fullName(repository).toLowerCase();
  return subIssues.flatMap(({ repository: name, number }) => (name.toLowerCase() === here ? [number] : []));
}

function completes(facts: GoalFacts, at: number): readonly Move[] {
  const { goal, subIssues, openSubIssues, tasks } = facts;
  const openTasks = tasks.filter(isOpenTask).length;
  if (goal.state !== "IN_PROGRESS") return [];
  if (!isDone({ subIssues, openSubIssues, tasks: tasks.length, openTasks })) return [];
  const event = { type: "COMPLETE", at, actor: "flotilla", openSubIssues, openTasks } as const;
  return [{ machine: "goal", id: goal.id, event }];
}

/** Saves the goal's sub-issues, whose changes concern the goal from now on. */
async function keepParts({ records }: Tables, { id }: GoalRecord, parts: readonly number[]): Promise<void> {
  const goal = await records.get("goal", id);
  if (goal === undefined || goal.parts.join() === parts.join()) return;
  await records.save("goal", goal, { ...goal, parts: [...parts] });
}
