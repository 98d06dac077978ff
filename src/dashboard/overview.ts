import type { AgentRecord } from "../core/machines/agent-record.ts";
import { LIVE_AGENT_STATES } from "../core/machines/agent-record.ts";
import type { Store } from "../core/ports/store.ts";
import { fullName } from "../core/repository.ts";
import { type AgentViewParts, agentView, usd } from "./agent-view.ts";
import { pauseJson } from "./json.ts";
import { daysAgo } from "./ledger-json.ts";
import { tasksAsJson } from "./task-json.ts";
import { mayKnow, type Rights, readable } from "./viewer.ts";
import { type WaitingItem, waitingOf } from "./waiting.ts";

const DAY_MS = 86_400_000;
/** How many agents that ended lately are shown. */
const ENDED_SHOWN = 8;
/** Queues are counted up to here. */
const COUNTED = 500;

interface OverviewParts extends AgentViewParts {
  readonly store: Store;
}

/** What waits for people, oldest first. */
export async function waitingList(parts: OverviewParts, rights: Rights): Promise<readonly WaitingItem[]> {
  const found = await parts.store.records.find("agent", { state: ["CREATED", "SLEEPING", "ESCALATED"] });
  const agents = await readable(rights, found, ({ repositoryId }) => repositoryId);
  const items = await Promise.all(
    agents.map(async (agent) => waitingOf(parts.store, agent, await agentView(parts, agent))),
  );
  return items.flat().toSorted((one, other) => one.since.localeCompare(other.since));
}

/** All that the first view shows, in one answer. */
export async function overview(parts: OverviewParts, rights: Rights, now: number) {
  const { store } = parts;
  const live = await store.records.find("agent", { state: LIVE_AGENT_STATES });
  const ended = await store.records.find("agent", { endedAt: { above: now - DAY_MS } });
  const shown = [...live, ...ended.toSorted(byEnd).slice(0, ENDED_SHOWN)];
  const agents = await readable(rights, shown, ({ repositoryId }) => repositoryId);
  const repositories = await readable(rights, await store.repositories.all(), ({ id }) => id);
  const names = new Set(repositories.map(fullName));
  const tasks = await tasksAsJson(store, null);
  const goals = await readable(rights, await store.records.find("goal", {}), (goal) => goal.repositoryId);
  const spent = async (since: number) => {
    const each = await Promise.all(repositories.map(({ id }) => store.budget.spentSince(id, since)));
    return usd(each.reduce((sum, one) => sum + one, 0));
  };
  return {
    at: new Date(now).toISOString(),
    site: parts.site,
    waiting: await waitingList(parts, rights),
    agents: await Promise.all(agents.map((agent) => agentView(parts, agent))),
    tasks: tasks.filter(({ repository }) => names.has(repository)),
    cost_usd: {
      today: await spent(now - (now % DAY_MS)),
      thirty_days: await spent(daysAgo(30, now)),
    },
    repositories: [...names],
    goals: goals.map((goal) => ({
      repository: fullName(
        repositories.find(({ id }) => id === goal.repositoryId) ?? { owner: "", name: "" },
      ),
      issue: goal.issue,
      title: goal.title,
      state: goal.state,
    })),
    paused: (await mayKnow(rights, await store.scopePauses.list())).map(pauseJson),
    dead: await dead(store, rights),
  };
}

export type Overview = Awaited<ReturnType<typeof overview>>;

function byEnd(one: AgentRecord, other: AgentRecord): number {
  return (other.endedAt ?? 0) - (one.endedAt ?? 0);
}

async function dead(store: Store, rights: Rights) {
  const deliveries = await store.deliveries.list({ state: "dead" }, COUNTED);
  const effects = await store.effects.find({ state: "failed" });
  return {
    deliveries: (await readable(rights, deliveries, ({ repositoryId }) => repositoryId)).length,
    effects: (await readable(rights, effects, ({ repositoryId }) => repositoryId)).length,
  };
}
