import { levelIn, mergesItself } from "../../domain/access/level-of.ts";
import { parseAgentKey } from "../../domain/agents/agent-key.ts";
import { type AgentRecord, isLive, isOnPull } from "../../domain/agents/agent-record.ts";
import { enteredStateAt } from "../../domain/agents/entered-state-at.ts";
import { type Allowance, allowanceOf } from "../../domain/breakers/allowance.ts";
import { limitsFor } from "../../domain/breakers/limits.ts";
import type { RunningCommand } from "../../domain/evidence/running-command.ts";
import { fullName, parseFullName } from "../../domain/kernel/repository.ts";
import type { RepositoryRow, ToolCallRow } from "../../domain/kernel/rows.ts";
import type { AroundAgent } from "../../domain/ports/lists.ts";
import type { Tables } from "../../domain/ports/store.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { agentHeadline } from "../../domain/status/agent-headline.ts";
import type { AgentStatusFacts } from "../../domain/status/agent-status.ts";
import { BY_ITSELF } from "../../domain/tasks/next-of-work.ts";
import { agentJson } from "./json.ts";

/** What is needed to show an agent. */
export interface AgentViewParts {
  readonly store: Pick<Tables, "lists" | "repositories">;
  readonly settings: Pick<
    Settings,
    "roles" | "limits" | "merge" | "level" | "levels" | "budgets" | "schedules"
  >;
  /** The commands that Flotilla runs for agents at this moment, by agent. */
  readonly runningCommands: ReadonlyMap<number, RunningCommand>;
  /** Base address of GitHub's pages: `https://github.com`. */
  readonly site: string;
}

/** An agent, the records that its view is made of, and the view. */
export interface SeenAgent {
  readonly agent: AgentRecord;
  readonly around: AroundAgent;
  readonly view: AgentView;
  /** True if Flotilla merges approved work of the repository without a person. */
  readonly merges: boolean;
  /** True if Flotilla may merge approved work of the repository when a person says so. */
  readonly mayMerge: boolean;
}

/**
 * Returns the views of agents, in the given order. The number of statements does not depend on the number of agents.
 */
export async function agentViews(
  parts: AgentViewParts,
  agents: readonly AgentRecord[],
): Promise<readonly SeenAgent[]> {
  const known = new Map((await parts.store.repositories.all()).map((each) => [each.id, each]));
  const found = await parts.store.lists.around(agents);
  return agents.flatMap((agent) => {
    const around = found.get(agent.id);
    if (around === undefined) return [];
    const repository = known.get(agent.repositoryId);
    const told = ofEngine(parts, agent, repository, around);
    const view = agentView(parts, agent, told, repository);
    const merges = told.merging !== null && around.riskAbove === null;
    return { agent, around, view, merges, mayMerge: mayMergeIn(parts.settings, view.repository) };
  });
}

/** Returns whether Flotilla may merge there when a person says so. A label of the issue may still forbid it. */
export function mayMergeIn(settings: AgentViewParts["settings"], repository: string): boolean {
  return levelIn(settings, repository) === "merge";
}

/**
 * Adds what only the running engine knows: the command that it runs for the agent, and whether it merges the work of its
 * repository.
 */
export function ofEngine<Around extends object>(
  { settings, runningCommands }: Pick<AgentViewParts, "settings" | "runningCommands">,
  agent: AgentRecord,
  repository: RepositoryRow | undefined,
  around: Around,
): Around & Pick<Required<AgentStatusFacts>, "merging"> & Pick<AgentStatusFacts, "command"> {
  const merges = repository !== undefined && mergesItself(settings, fullName(repository));
  return { ...around, command: runningCommands.get(agent.id), merging: merges ? BY_ITSELF : null };
}

/**
 * Builds the view of an agent: the fields of the lists, its issue, its current activity, and how much of its budget it
 * has used.
 */
function agentView(
  { settings, site }: Pick<AgentViewParts, "settings" | "site">,
  agent: AgentRecord,
  around: AroundAgent & Pick<AgentStatusFacts, "merging">,
  repository: RepositoryRow | undefined,
) {
  const { issue } = agent;
  const { run, title, call } = around;
  const json = agentJson(agent, repository, around);
  const allowed = allowanceFor(settings, agent);
  const home = `${site}/${json.repository}`;
  return {
    ...json,
    title,
    /** The state in a few plain words, for people. */
    headline: agentHeadline(agent, around),
    issue_url: `${home}/issues/${issue}`,
    pull_url: agent.prNumber === null ? null : `${home}/pull/${agent.prNumber}`,
    since: new Date(enteredStateAt(agent)).toISOString(),
    /** The operations that the page offers, in addition to those of its entries in the waiting list. */
    acts: actsOf(agent, around),
    plan: run?.plan ?? null,
    /** The call that is pending or runs. It is pending, too, while the agent sleeps until a person has answered. */
    tool: call !== null && (agent.state === "ACTIVE" || call.status === "pending") ? callNow(call) : null,
    cost_usd: usd(agent.costMicroUsd),
    active_seconds: Math.round(agent.activeMs / 1000),
    allowed: {
      turns: allowed.turns,
      tool_calls: allowed.toolCalls,
      tokens: allowed.tokens,
      cost_usd: allowed.costMicroUsd === null ? null : usd(allowed.costMicroUsd),
    },
    ended_at: agent.endedAt === null ? null : new Date(agent.endedAt).toISOString(),
  };
}

export type AgentView = ReturnType<typeof agentView>;

export function usd(micro: number): number {
  return micro / 1_000_000;
}

function actsOf(
  agent: AgentRecord,
  { hasSuccessor, holds }: AroundAgent,
): readonly ("pause" | "cancel" | "retry" | "revive")[] {
  if (!isLive(agent)) return agent.state === "COMPLETED" || hasSuccessor || isOnPull(agent) ? [] : ["revive"];
  const isPaused = holds.length > 0 || (agent.state === "SLEEPING" && agent.sleepReason === "paused");
  const isStill = agent.state === "ESCALATED" || isPaused;
  if (isStill) return ["cancel"];
  const startsLater = agent.state === "CREATED" && agent.dueAt !== null;
  return startsLater ? ["retry", "pause", "cancel"] : ["pause", "cancel"];
}

/** Returns the limits of the agent's role; the default limits if the configuration no longer has that role. */
function allowanceFor(settings: AgentViewParts["settings"], agent: AgentRecord): Allowance {
  const role = settings.roles.get(agent.role);
  return allowanceOf(role === undefined ? settings.limits.defaults : limitsFor(settings, role), agent);
}

function callNow({ tool, status, input, startedAt }: ToolCallRow) {
  return { name: tool, status, input, since: new Date(startedAt).toISOString() };
}

/** Finds the agent with a key such as `owner/name:feat-dev-issue-42`; undefined if there is none. */
export async function findAgent(
  store: Pick<Tables, "lists" | "repositories">,
  key: string,
): Promise<AgentRecord | undefined> {
  const parsed = parseAgentKey(key);
  const name = parsed === undefined ? undefined : parseFullName(parsed.repository);
  const repository = name === undefined ? undefined : await store.repositories.byName(name.owner, name.name);
  if (parsed === undefined || repository === undefined) return undefined;
  return store.lists.agentNamed(repository.id, parsed.name);
}
