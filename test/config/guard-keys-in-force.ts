import type { KeyInForce } from "./keys-in-force.ts";

/** Keys of what guards agents against storms, standing still and incidents. */
export const GUARD_KEYS: readonly KeyInForce[] = [
  {
    key: "circuit_breakers.disk.min_free_gib",
    set: "circuit_breakers: { disk: { min_free_gib: 2.5 } }",
    read: (c) => c.disk.minFreeBytes,
    expected: 2.5 * 1024 ** 3,
  },
  {
    key: "circuit_breakers.disk.max_agent_gib",
    set: "circuit_breakers: { disk: { max_agent_gib: 4 } }",
    read: (c) => c.disk.maxAgentBytes,
    expected: 4 * 1024 ** 3,
  },
  {
    key: "circuit_breakers.disk.max_agent_files",
    set: "circuit_breakers: { disk: { max_agent_files: 5000 } }",
    read: (c) => c.disk.maxAgentFiles,
    expected: 5000,
  },
  {
    key: "circuit_breakers.storm.max_starts_per_issue_per_hour",
    set: "circuit_breakers: { storm: { max_starts_per_issue_per_hour: 7 } }",
    read: (c) => c.storm.maxStartsPerIssuePerHour,
    expected: 7,
  },
  {
    key: "circuit_breakers.turn_ceiling",
    set: "circuit_breakers: { turn_ceiling: 300, defaults: { max_turns: 250 } }",
    read: (c) => [c.limits.turnCeiling, c.limits.defaults.maxTurns],
    expected: [300, 250],
  },
  {
    key: "circuit_breakers.storm.max_depth",
    set: "circuit_breakers: { storm: { max_depth: 1 } }",
    read: (c) => c.storm.maxDepth,
    expected: 1,
  },
  {
    key: "circuit_breakers.storm.max_fan_out",
    set: "circuit_breakers: { storm: { max_fan_out: 9 } }",
    read: (c) => c.storm.maxFanOut,
    expected: 9,
  },
  {
    key: "circuit_breakers.incident.issues",
    set: "circuit_breakers: { incident: { issues: 4 } }",
    read: (c) => c.incident.issues,
    expected: 4,
  },
  {
    key: "circuit_breakers.incident.within",
    set: "circuit_breakers: { incident: { within: 45m } }",
    read: (c) => c.incident.withinMs,
    expected: 2_700_000,
  },
  {
    key: "circuit_breakers.progress.turns_without_change",
    set: "circuit_breakers: { progress: { turns_without_change: 7 } }",
    read: (c) => c.progress.turnsWithoutChange,
    expected: 7,
  },
];
