import type { Places } from "../places.ts";

/** The fields of its record of an agent. Most values are shown by "has a time to live, …" in show-operations.ts. */
export const RECORD: Places = {
  id: "agent.name",
  parent_agent_id: "agent.parent_agent_id",
  workspace_id: "agent.worktree_path",
  repo: "agent.repository_id",
  node: "agent.node",
  harness: "agent.runtime",
  mode: "agent.mode",
  state: "session.state",
  created_at: "agent.created_at",
  last_activity_at: "agent.last_activity_at",
  ttl: "agent.ttl_ms",
  labels: "agent.labels",
  tags: "agent.tags",
};

/** Its two modes, and ours. */
export const MODES = { continuous: "continuous", "one-shot": "one_shot" } as const;
