import { EFFECT_LANE, type Effect, FENCED } from "../core/effect.ts";
import type { AgentRecord } from "../core/machines/agent-record.ts";
import type { NewEffect } from "../core/rows.ts";

function issueLane(repositoryId: number, issue: number): string {
  return `issue:${repositoryId}#${issue}`;
}

function agentLane(agentId: number): string {
  return `agent:${agentId}`;
}

/** An effect that concerns the issue and no agent. */
export function issueEffect(options: {
  repositoryId: number;
  issue: number;
  effect: Effect;
  at: number;
}): Omit<NewEffect, "key"> {
  return {
    lane: issueLane(options.repositoryId, options.issue),
    repositoryId: options.repositoryId,
    issue: options.issue,
    agentId: null,
    token: null,
    payload: options.effect,
    createdAt: options.at,
  };
}

/** An effect of an agent, in the lane of its kind; a fenced kind carries the agent's token. */
export function agentEffect(agent: AgentRecord, effect: Effect, key: string, at: number): NewEffect {
  const lane =
    EFFECT_LANE[effect.kind] === "agent" ? agentLane(agent.id) : issueLane(agent.repositoryId, agent.issue);
  return {
    key,
    lane,
    repositoryId: agent.repositoryId,
    issue: agent.issue,
    agentId: agent.id,
    token: FENCED.has(effect.kind) ? agent.token : null,
    payload: effect,
    notBefore: (effect.kind === "open_session" ? effect.notBefore : undefined) ?? 0,
    createdAt: at,
  };
}
