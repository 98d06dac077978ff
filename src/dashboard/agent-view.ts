import { type Allowance, allowanceOf } from "../core/allowance.ts";
import { limitsFor } from "../core/limits.ts";
import type { AgentRecord } from "../core/machines/agent-record.ts";
import { since } from "../core/machines/since.ts";
import type { Tables } from "../core/ports/store.ts";
import type { Settings } from "../core/settings.ts";
import { waitsFor } from "../core/text/waits-for.ts";
import { agentJson } from "./json.ts";

/** What is read to show an agent. */
export interface AgentViewParts {
  readonly store: Pick<Tables, "records" | "repositories" | "toolCalls" | "transitions">;
  readonly settings: Pick<Settings, "roles" | "limits">;
  /** Where GitHub shows pages: `https://github.com`. */
  readonly site: string;
}

/** An agent as the page shows it: as in the lists, with its issue, what it does now, and what it used of its budget. */
export async function agentView(parts: AgentViewParts, agent: AgentRecord) {
  const { store, settings, site } = parts;
  const { repositoryId, issue } = agent;
  const repository = await store.repositories.get(repositoryId);
  const run = (await store.records.find("run", { agentId: agent.id })).at(-1);
  const task = (await store.records.find("task", { repositoryId, issue })).at(-1);
  const json = agentJson(agent, repository, run);
  const allowed = allowanceFor(settings, agent);
  const home = `${site}/${json.repository}`;
  return {
    ...json,
    title: task?.title ?? null,
    issue_url: `${home}/issues/${issue}`,
    pull_url: agent.prNumber === null ? null : `${home}/pull/${agent.prNumber}`,
    since: new Date(since(agent)).toISOString(),
    waits_for: agent.state === "SLEEPING" ? waitsFor(agent, await sleptBy(store, agent)) : null,
    plan: run?.plan ?? null,
    tool: agent.state === "ACTIVE" ? await toolNow(store, agent) : null,
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

export type AgentView = Awaited<ReturnType<typeof agentView>>;

export function usd(micro: number): number {
  return micro / 1_000_000;
}

/** A role that the configuration has no more has the limits of all. */
function allowanceFor(settings: AgentViewParts["settings"], agent: AgentRecord): Allowance {
  const role = settings.roles.get(agent.role);
  return allowanceOf(role === undefined ? settings.limits.defaults : limitsFor(settings, role), agent);
}

/** The call that runs; the latest of several. */
async function toolNow({ toolCalls }: AgentViewParts["store"], agent: AgentRecord) {
  const call = (await toolCalls.ofAgent(agent.id)).findLast(({ status }) => status === "running");
  if (call === undefined) return null;
  return { name: call.tool, input: call.input, since: new Date(call.startedAt).toISOString() };
}

async function sleptBy({ transitions }: AgentViewParts["store"], agent: AgentRecord) {
  const moves = await transitions.ofAgent(agent.id);
  return moves.findLast(({ machine, event }) => machine === "agent" && event === "WAIT") ?? null;
}
