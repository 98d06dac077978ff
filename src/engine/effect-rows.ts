import { EFFECT_LANE, type Effect, type EffectKind, FENCED } from "../core/effect.ts";
import type { AgentRecord } from "../core/machines/agent-record.ts";
import type { NewEffect } from "../core/rows.ts";

export function issueLane(repositoryId: number, issue: number): string {
  return `issue:${repositoryId}#${issue}`;
}

export function agentLane(agentId: number): string {
  return `agent:${agentId}`;
}

/** Merges of one repository go one at a time. By its name it waits as an issue's does while the repository is shut. */
export function trainLane(repositoryId: number): string {
  return `issue:${repositoryId}#train`;
}

/** What is said on an issue does not wait for GitHub's word on what blocks it. It is shut as the issue's own lane is. */
function blockersLane(repositoryId: number, issue: number): string {
  return `${issueLane(repositoryId, issue)}:blockers`;
}

function laneOf(kind: EffectKind, repositoryId: number, issue: number): string {
  if (EFFECT_LANE[kind] === "train") return trainLane(repositoryId);
  return EFFECT_LANE[kind] === "blockers"
    ? blockersLane(repositoryId, issue)
    : issueLane(repositoryId, issue);
}

/** An effect that concerns the issue and no agent. */
export function issueEffect(options: {
  repositoryId: number;
  issue: number;
  effect: Effect;
  at: number;
}): Omit<NewEffect, "key"> {
  const { repositoryId, issue } = options;
  return {
    lane: laneOf(options.effect.kind, repositoryId, issue),
    repositoryId,
    issue,
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
