import { mergesItself, mergesWork } from "../../domain/access/level-of.ts";
import type { AgentRecord, LIVE_AGENT_STATES } from "../../domain/agents/agent-record.ts";
import { isCoder } from "../../domain/agents/role.ts";
import { dayOf } from "../../domain/breakers/day-budget.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import type { StateCount } from "../../domain/ports/lists.ts";
import type { Store } from "../../domain/ports/store.ts";
import { standstills } from "../../domain/recovery/node.ts";
import { TASK_STATES } from "../../domain/tasks/task-record.ts";
import { mayKnow, type Rights, readable } from "../auth/viewer.ts";
import { type AgentView, type AgentViewParts, agentViews, mayMergeIn, usd } from "./agent-view.ts";
import { goalJson, repositoryNames, taskJson } from "./goal-json.ts";
import { pauseJson } from "./json.ts";
import { daysAgo } from "./ledger.ts";
import { nodesJson } from "./node-json.ts";
import { type Paged, paged } from "./paging.ts";
import type { ReadTurns } from "./read-turns.ts";
import { spentBudgets } from "./spent-budgets.ts";
import { type WaitingItem, waitingOf, waitingTask } from "./waiting.ts";

const DAY_MS = 86_400_000;
/** Live agents, and entries of the waiting list, on the first page. */
const SHOWN = 50;
/** Agents that ended within a day, on the first page. */
const ENDED_SHOWN = 8;
/** Tasks of each state that are shown, the latest ones. */
const TASKS_SHOWN = 12;
/** Queues are counted up to this number. */
const COUNTED = 500;

/** Live states, in the order in which the overview lists them. */
const LIVE = [
  "ACTIVE",
  "ESCALATED",
  "CREATED",
  "SLEEPING",
] as const satisfies (typeof LIVE_AGENT_STATES)[number][];

interface OverviewParts extends AgentViewParts {
  readonly store: Store;
}

/** Lists what waits for people, oldest first. A page of agents includes everything that each of them waits for. */
export async function waitingList(
  parts: OverviewParts,
  rights: Rights,
  page: Parameters<Store["lists"]["waiting"]>[1],
): Promise<Paged<WaitingItem>> {
  const repositories = await rights.repositories();
  const { rows, next } = await paged(page, (some) => parts.store.lists.waiting(repositories, some));
  const agents = rows.flatMap((row) => ("agent" in row ? row.agent : []));
  const items = (await agentViews(parts, agents)).flatMap(waitingOf);
  const nameOf = await repositoryNames(parts.store);
  const ofTasks = rows.flatMap((row) => {
    if (!("task" in row)) return [];
    const repository = nameOf(row.task.repositoryId);
    const goesOn = row.task.state === "APPROVED" && mergesWork(parts.settings, repository, row.task);
    const mayMerge = mayMergeIn(parts.settings, repository);
    return goesOn ? [] : waitingTask(row, { repository, site: parts.site, mayMerge });
  });
  const shown = [...items, ...ofTasks];
  return { rows: shown.toSorted((one, other) => one.since.localeCompare(other.since)), next };
}

/** Answers the overview in one request: the totals, and the first page of each list. */
export async function overview(
  parts: OverviewParts & { readonly turns: ReadTurns },
  rights: Rights,
  now: number,
) {
  const { store, turns } = parts;
  const { lists } = store;
  const mine = await rights.repositories();
  const isMine = ({ repositoryId }: { readonly repositoryId: number }): boolean =>
    mine === null || mine.includes(repositoryId);
  const waiting = await waitingList(parts, rights, { after: null, limit: SHOWN });
  await turns.giveWay();
  const live = await paged({ after: null, limit: SHOWN }, (page) =>
    lists.agents({ states: LIVE, repositories: mine }, page),
  );
  const ended = await paged({ after: null, limit: ENDED_SHOWN }, (page) =>
    lists.ended(mine, now - DAY_MS, page),
  );
  const agents = await agentViews(parts, [...live.rows.map(({ agent }) => agent), ...ended.rows]);
  await turns.giveWay();
  const nameOf = await repositoryNames(store);
  const tasks = await latestTasks(store, mine);
  await turns.giveWay();
  const repositories = (await store.repositories.all()).filter(({ id }) => isMine({ repositoryId: id }));
  const goals = await paged({ after: null, limit: SHOWN }, (page) =>
    store.plans.list({ open: true, repositories: mine }, page),
  );
  const allEndedGoals = (await store.records.find("goal", { state: ["COMPLETED", "ABORTED"] })).filter(
    isMine,
  );
  const endedGoals = allEndedGoals.slice(-ENDED_SHOWN);
  const waits = (await lists.waitingCounts()).filter(isMine);
  const sumOf = (found: Awaited<ReturnType<typeof lists.costs>>) =>
    usd(found.filter(isMine).reduce((sum, { costMicroUsd }) => sum + costMicroUsd, 0));
  const costs = await lists.costs(dayOf(daysAgo(30, now)));
  const agentCounts = (await lists.agentCounts()).filter(isMine);
  return {
    at: new Date(now).toISOString(),
    site: parts.site,
    /** Whether the operator sees a Flotilla of which no agent has worked yet; `/api/first-steps` says what is missing. */
    first_start: rights.viewer.kind === "operator" && costs.length === 0 && !agentCounts.some(hasEnded),
    waiting: waiting.rows,
    waiting_next: waiting.next,
    agents: agents.map(({ view }) => view),
    agents_next: live.next,
    ended_next: ended.next,
    tasks: tasks.map((row) => {
      const name = nameOf(row.task.repositoryId);
      return taskJson(row, name, mergesItself(parts.settings, name));
    }),
    /** Totals of everything that this viewer may see. */
    counts: {
      waiting: waits.reduce(
        (sum, { repositoryId, count, merges }) =>
          sum + count - (mergesItself(parts.settings, nameOf(repositoryId)) ? merges : 0),
        await store.plans.checkpoints(mine),
      ),
      agents: byState(agentCounts),
      tasks: byState((await lists.taskCounts()).filter(isMine)),
    },
    cost_usd: { today: sumOf(await lists.costs(dayOf(now))), thirty_days: sumOf(costs) },
    repositories: repositories.map(fullName),
    /** Those that this viewer may start somewhere. */
    roles: repositories.length === 0 ? [] : startable(parts.settings),
    /** Goals that have not ended, and sprints without a goal. */
    goals: goals.rows.map((row) => goalJson(row, nameOf(row.repositoryId))),
    goals_next: goals.next,
    /** The latest goals that have ended. */
    ended_goals: endedGoals.map((goal) => ({
      repository: nameOf(goal.repositoryId),
      issue: goal.issue,
      title: goal.title,
      state: goal.state,
    })),
    /** How many goals have ended before these. */
    more_ended_goals: allEndedGoals.length - endedGoals.length,
    paused: (await mayKnow(rights, await store.scopePauses.list())).map(pauseJson),
    dead: await dead(store, rights),
    nodes: await nodesJson(store, now),
    /** Budgets of which four fifths are spent. */
    budgets: await spentBudgets(parts, mine, now),
    /** What no machine does at the moment, with what to do. */
    standstills: standstills(await store.nodes.list(), now),
  };
}

function hasEnded({ state }: StateCount<AgentRecord["state"]>): boolean {
  return !LIVE.some((live) => live === state);
}

/** Returns the roles that a person can start, coders first. Reviewers are offered work by themselves. */
function startable({ roles }: OverviewParts["settings"]) {
  return [...roles.values()]
    .filter(({ evidence }) => evidence !== "verdict")
    .toSorted((one, other) => Number(isCoder(other)) - Number(isCoder(one)))
    .map(({ name, description }) => ({ name, description }));
}

export type Overview = Awaited<ReturnType<typeof overview>>;

/** Lists the live agents after the overview's first page. */
export async function liveAgents(
  parts: OverviewParts,
  rights: Rights,
  page: Parameters<Store["lists"]["agents"]>[1],
): Promise<Paged<AgentView>> {
  const repositories = await rights.repositories();
  const { rows, next } = await paged(page, (some) =>
    parts.store.lists.agents({ states: LIVE, repositories }, some),
  );
  const seen = await agentViews(
    parts,
    rows.map(({ agent }) => agent),
  );
  return { rows: seen.map(({ view }) => view), next };
}

/** Lists agents that ended within a day, after the overview's first page. */
export async function endedAgents(
  parts: OverviewParts,
  rights: Rights,
  { page, now }: { readonly page: Parameters<Store["lists"]["ended"]>[2]; readonly now: number },
): Promise<Paged<AgentView>> {
  const repositories = await rights.repositories();
  const { rows, next } = await paged(page, (some) =>
    parts.store.lists.ended(repositories, now - DAY_MS, some),
  );
  return { rows: (await agentViews(parts, rows)).map(({ view }) => view), next };
}

/** Lists the latest tasks of each state, in the order in which they were created. */
export async function latestTasks({ lists }: Pick<Store, "lists">, repositories: readonly number[] | null) {
  const each = await Promise.all(
    TASK_STATES.map((state) =>
      lists.tasks({ state, repositories, latestFirst: true }, { after: null, limit: TASKS_SHOWN }),
    ),
  );
  return each
    .flat()
    .map(({ row }) => row)
    .toSorted((one, other) => one.task.id - other.task.id);
}

/** Returns the number of rows by state; states without rows are left out. */
export function byState<State extends string>(
  counts: readonly StateCount<State>[],
): Readonly<Partial<Record<State, number>>> {
  const sums: Partial<Record<State, number>> = {};
  for (const { state, count } of counts) sums[state] = (sums[state] ?? 0) + count;
  return sums;
}

async function dead(store: Store, rights: Rights) {
  const deliveries = await store.deliveries.list({ state: "dead" }, COUNTED);
  const repositories = await rights.repositories();
  const effects = await store.lists.effects(
    { states: ["failed"], repositories },
    { after: null, limit: COUNTED },
  );
  return {
    deliveries: (await readable(rights, deliveries, ({ repositoryId }) => repositoryId)).length,
    effects: effects.length,
  };
}
