import type { AgentStatus } from "../status/agent-status.ts";
import { type AgentRecord, isLive } from "./agent-record.ts";

interface ShownAgent {
  readonly agent: Pick<AgentRecord, "id" | "coder" | "state">;
  readonly status: AgentStatus;
}

/**
 * Returns the agents whose next step is shown, in the given order: those that live, or the newest of those that ended.
 * If that one leaves nothing to do and no coder lives, the coder whose work waits replaces it.
 */
export function agentsToShow<T extends ShownAgent>(agents: readonly T[]): readonly T[] {
  const byAge = agents.toSorted((one, other) => one.agent.id - other.agent.id);
  const newest = byAge.at(-1);
  const waiting = byAge.some(({ agent }) => agent.coder && isLive(agent))
    ? undefined
    : byAge.findLast(({ agent, status }) => agent.coder && !isLive(agent) && !isDone(status));
  const isNewestShown = waiting === undefined || (newest !== undefined && !isDone(newest.status));
  return agents.filter((one) => isLive(one.agent) || one === waiting || (one === newest && isNewestShown));
}

const isDone = ({ next }: AgentStatus) => next.startsWith("nothing");
