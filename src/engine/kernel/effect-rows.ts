import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { EFFECT_LANE, type Effect, FENCED } from "../../domain/kernel/effect.ts";
import type { NewEffect } from "../../domain/kernel/rows.ts";
import { scheduleLane } from "../../domain/schedules/schedule.ts";

export function issueLane(repositoryId: number, issue: number): string {
  return `issue:${repositoryId}#${issue}`;
}

export function agentLane(agentId: number): string {
  return `agent:${agentId}`;
}

/**
 * Returns the lane of a repository's merges, which run one at a time. Its name makes it wait, like an issue's
 * lane, while the repository is paused; stored lanes keep that name.
 */
export function mergeQueueLane(repositoryId: number): string {
  return `issue:${repositoryId}#train`;
}

/**
 * Returns the lane of a repository's proposed lessons, which run one at a time, so that never two are open. Its name makes it
 * wait, like an issue's lane, while the repository is paused.
 */
function lessonLane(repositoryId: number): string {
  return `issue:${repositoryId}#lessons`;
}

/** Returns the lane of a receiver of notices; a pause of a repository does not hold it up. */
function noticeLane(receiver: string): string {
  return `notices:${receiver}`;
}

/**
 * Returns the lane of an effect. Refreshes share the lane of the writes whose results they read; the refresh of
 * blockers reads none of them.
 */
function laneOf(effect: Effect, repositoryId: number, issue: number): string {
  if (effect.kind === "notify") return noticeLane(effect.receiver);
  if (effect.kind === "open_scheduled") return scheduleLane(repositoryId, effect.schedule);
  const lane = EFFECT_LANE[effect.kind];
  if (lane === "merge_queue") return mergeQueueLane(repositoryId);
  if (lane === "lessons") return lessonLane(repositoryId);
  const own = issueLane(repositoryId, issue);
  return lane === "blockers" ? `${own}:${lane}` : own;
}

function notBeforeOf(effect: Effect): number {
  return ("notBefore" in effect ? effect.notBefore : undefined) ?? 0;
}

/** Returns an effect that concerns the issue and no agent. */
export function issueEffect(options: {
  repositoryId: number;
  issue: number;
  effect: Effect;
  at: number;
}): Omit<NewEffect, "key"> {
  const { repositoryId, issue } = options;
  return {
    lane: laneOf(options.effect, repositoryId, issue),
    repositoryId,
    issue,
    agentId: null,
    token: null,
    payload: options.effect,
    notBefore: notBeforeOf(options.effect),
    createdAt: options.at,
  };
}

function laneOfAgents({ id, repositoryId, issue }: AgentRecord, effect: Effect): string {
  const lane = EFFECT_LANE[effect.kind];
  if (lane === "agent") return agentLane(id);
  return lane === "interrupts" ? `${agentLane(id)}:${lane}` : laneOf(effect, repositoryId, issue);
}

/** Returns an effect of an agent, in the lane of its kind; a fenced kind carries the agent's token. */
export function agentEffect(agent: AgentRecord, effect: Effect, key: string, at: number): NewEffect {
  return {
    key,
    lane: laneOfAgents(agent, effect),
    repositoryId: agent.repositoryId,
    issue: agent.issue,
    agentId: agent.id,
    token: FENCED.has(effect.kind) ? agent.token : null,
    payload: effect,
    notBefore: notBeforeOf(effect),
    createdAt: at,
  };
}
