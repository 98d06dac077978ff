import { mergesItself } from "../../domain/access/level-of.ts";
import { type AgentRecord, isLive, LIVE_AGENT_STATES } from "../../domain/agents/agent-record.ts";
import { fullName, parseFullName } from "../../domain/kernel/repository.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import type { GoalRecord } from "../../domain/planning/goal.ts";
import { stateOfPlan } from "../../domain/planning/planned-work.ts";
import type { LedgerPart } from "../../domain/ports/audit-tables.ts";
import type { Store } from "../../domain/ports/store.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import type { Rights } from "../auth/viewer.ts";
import { type AgentViewParts, agentViews } from "./agent-view.ts";
import { figuresOf } from "./figures.ts";
import { goalJson, taskJson } from "./goal-json.ts";
import { pauseJson } from "./json.ts";
import { byState, latestTasks } from "./overview.ts";
import { MOST } from "./paging.ts";
import type { Period } from "./periods.ts";
import type { ReadTurns } from "./read-turns.ts";
import { changesJson, repositoryConfigJson } from "./repository-config-json.ts";

interface ScopeParts extends AgentViewParts {
  readonly store: Store;
  readonly settings: Settings;
  readonly now: number;
  readonly per: Period;
  readonly turns: ReadTurns;
}

/** Ended agents that are shown, the latest ones. */
const ENDED_SHOWN = 20;
/** Agents that have not ended: as many as one answer has room for. */
const LIVE_SHOWN = MOST - ENDED_SHOWN;

/**
 * Returns a repository, or with `issue` the goal that this issue tracks: its agents, tasks, results, cost and time by
 * state. Null if it does not exist or this viewer may not see it. Takes its own turns.
 */
export async function scopeView(parts: ScopeParts, rights: Rights, name: string, issue: number | null) {
  const { store, turns } = parts;
  const parsed = parseFullName(name);
  const repository = parsed && (await store.repositories.byName(parsed.owner, parsed.name));
  if (repository === undefined || !(await rights.mayRead(repository.id))) return null;
  const repositoryId = repository.id;
  const [goal] = issue === null ? [] : await store.records.find("goal", { repositoryId, issue });
  if (issue !== null && goal === undefined) return null;
  const of = { repositoryId, issues: issuesOf(goal) };
  const shown = await turns.take(() => shownOf(parts, repository, goal));
  return { ...shown, figures: await figuresOf(parts, of, parts) };
}

/** Reads everything except the figures. The number of rows does not depend on the size of the database. */
async function shownOf(parts: ScopeParts, repository: RepositoryRow, goal: GoalRecord | undefined) {
  const { store, site } = parts;
  const repositoryId = repository.id;
  const issues = issuesOf(goal);
  const agents = await agentsOf(store, { repositoryId, issues });
  const tasks =
    issues === null
      ? await latestTasks(store, [repositoryId])
      : await store.lists.tasksOfIssues(repositoryId, issues);
  const full = fullName(repository);
  const file = goal === undefined ? await store.repositoryFiles.get(repositoryId) : undefined;
  const plan = goal && (await store.plans.ofIssue(repositoryId, goal.issue));
  return {
    repository: full,
    site,
    goal:
      goal === undefined
        ? null
        : {
            issue: goal.issue,
            title: goal.title,
            state: plan === undefined ? goal.state : stateOfPlan(plan),
          },
    /** The same goal with its sprints, its progress and the acts that it accepts. */
    plan: plan === undefined ? null : goalJson(plan, full),
    agents: (await agentViews(parts, agents)).map(({ view }) => view),
    tasks: tasks.map((task) => taskJson(task, full, mergesItself(parts.settings, full))),
    /** Number of tasks in each state. */
    task_counts:
      issues === null
        ? byState((await store.lists.taskCounts()).filter((count) => count.repositoryId === repositoryId))
        : byState(tasks.map(({ task: { state } }) => ({ repositoryId, state, count: 1 }))),
    own_file:
      goal === undefined
        ? { ...repositoryConfigJson(file, { site, name: full }), changes: changesJson(parts.settings, file) }
        : null,
    paused: (await store.scopePauses.over(repositoryId)).map(pauseJson),
  };
}

/** Returns the agents that have not ended, then the latest of those that have. */
async function agentsOf({ lists }: Pick<Store, "lists">, of: LedgerPart): Promise<readonly AgentRecord[]> {
  // By state, because an index finds those that have not ended among all of a repository.
  const live =
    of.issues === null
      ? (
          await lists.agents(
            { states: LIVE_AGENT_STATES, repositories: [of.repositoryId] },
            { after: null, limit: LIVE_SHOWN },
          )
        ).map(({ row: { agent } }) => agent)
      : await lists.lived(of, Number.MAX_SAFE_INTEGER, LIVE_SHOWN);
  const latest = await lists.lived(of, 0, live.length + ENDED_SHOWN);
  return [...live, ...latest.filter((agent) => !isLive(agent)).slice(0, ENDED_SHOWN)];
}

/** Returns the issues of a goal and its parts; null for a whole repository. */
function issuesOf(goal: GoalRecord | undefined): readonly number[] | null {
  return goal === undefined ? null : [goal.issue, ...goal.parts];
}

export type ScopeView = NonNullable<Awaited<ReturnType<typeof scopeView>>>;
