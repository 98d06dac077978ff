import type { LimitOverrides } from "../../../src/domain/breakers/limits.ts";
import type { Places } from "../places.ts";

/** The fields of its record of an agent. Names, branch and pull request are shown by value in show-record.ts. */
export const RECORD: Places = {
  agent_id: "agent.name",
  role: "agent.role",
  issue_number: "agent.issue",
  session_id: "agent.session_id",
  status: "agent.state",
  branch: "agent.branch",
  worktree_path: "agent.worktree_path",
  pr_number: "agent.pr_number",
  active_since: "agent.active_since",
  sleeping_since: "agent.sleeping_since",
};

/** Its breakers: the key, the default in the unit of the key, and our limit with its factor to that unit. */
export const BREAKERS: readonly {
  readonly key: string;
  readonly value: number;
  readonly ours: keyof LimitOverrides;
  readonly factor: number;
  /** Another value as configuration writes it, and what it comes to in our unit. */
  readonly other: readonly [written: string, read: number];
}[] = [
  {
    key: "max_active_duration",
    value: 7200,
    ours: "maxActiveDurationMs",
    factor: 1000,
    other: ["3m", 180_000],
  },
  { key: "max_iterations", value: 5, ours: "maxIterations", factor: 1, other: ["3", 3] },
  { key: "max_tool_calls", value: 200, ours: "maxToolCalls", factor: 1, other: ["3", 3] },
  { key: "max_turns", value: 50, ours: "maxTurns", factor: 1, other: ["3", 3] },
];

/** Its kinds of roles, and ours. */
export const LIFECYCLES = {
  persistent: "persistent",
  ephemeral: "ephemeral",
  stateful: "persistent",
} as const;
