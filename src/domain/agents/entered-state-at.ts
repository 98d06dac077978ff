import type { AgentRecord } from "./agent-record.ts";

/** Returns when an agent entered its present state, in milliseconds since the epoch. */
export function enteredStateAt(agent: AgentRecord): number {
  switch (agent.state) {
    case "CREATED":
      return agent.createdAt;
    case "ACTIVE":
      return agent.activeSince ?? agent.createdAt;
    case "SLEEPING":
    case "ESCALATED":
      return agent.sleepingSince ?? agent.createdAt;
    case "COMPLETED":
    case "FAILED":
    case "CANCELLED":
      return agent.endedAt ?? agent.createdAt;
  }
}
