import type { Role } from "../../src/domain/agents/role.ts";
import type { Limits } from "../../src/domain/breakers/limits.ts";
import type { Settings } from "../../src/domain/settings/settings.ts";
import { ROLES } from "./a-role.ts";
import { HOUR, MINUTE } from "./moment.ts";

/** The limits that hold where nothing is configured. */
export const LIMITS: Limits = {
  maxActiveDurationMs: 2 * HOUR,
  maxIterations: 5,
  maxToolCalls: 200,
  maxTurns: 50,
  maxSleepDurationMs: 24 * HOUR,
  maxTokens: 2_000_000,
  maxCostUsd: undefined,
  warnAt: 0.8,
};

export function rolesOf(...roles: readonly Role[]): Settings["roles"] {
  return new Map(roles.map((role) => [role.name, role]));
}

/** The configuration that nobody has touched, with the shipped roles. Frozen at its top. */
export function someSettings(overrides: Partial<Settings> = {}): Settings {
  return Object.freeze<Settings>({
    project: { name: "acme" },
    repositories: ["acme/*"],
    runtime: {
      model: "gpt-4.1",
      prices: new Map(),
      maxConcurrentAgents: 10,
      permissionMode: "auto",
      provider: undefined,
    },
    roles: rolesOf(...ROLES),
    branches: "flotilla/{role}/issue-{number}",
    commits: { signOff: false },
    limits: { turnCeiling: 200, defaults: LIMITS, roles: new Map() },
    repositoryPerDay: { maxCostUsd: undefined, maxAgents: 50 },
    disk: { minFreeBytes: 1024 ** 3, maxAgentBytes: 10 * 1024 ** 3, maxAgentFiles: 1_000_000 },
    retries: { maxRestarts: 3, coderPollMs: MINUTE / 2 },
    leases: { agentMs: 5 * MINUTE, taskMs: 30 * MINUTE },
    review: { required: false, reviewers: 1, maxCycles: 5, leaseMs: 30 * MINUTE },
    merge: { auto: false, method: "squash" },
    storm: { maxStartsPerIssuePerHour: 6, maxDepth: 2, maxFanOut: 3 },
    incident: { issues: 3, withinMs: 30 * 60_000 },
    progress: { turnsWithoutChange: 5 },
    setup: { commands: [], network: [], cache: [] },
    evidence: {
      commands: [],
      timeoutMs: 10 * MINUTE,
      requiredChecks: [],
      maxBounces: 3,
      evaluatorThreshold: 0.85,
    },
    escalation: { label: "needs-human", notify: [] },
    checks: { flakeReruns: 1 },
    attention: { openPrs: 10 },
    questions: { deadlineMs: 48 * HOUR, remindAfterMs: 4 * HOUR, secondPersonAfterMs: 24 * HOUR },
    level: "pr",
    levels: { repositories: {}, labels: {} },
    policy: {
      whoMayCommand: "write",
      readUntrusted: false,
      bots: [],
      protectedPaths: [".github/workflows/**", ".github/actions/**", "CODEOWNERS", ".github/CODEOWNERS"],
      maxOutputs: { comments: 10, pullRequests: 1, issues: 3 },
    },
    reconcileEveryMs: 5 * MINUTE,
    retention: {
      worktreesMs: 168 * HOUR,
      payloadsMs: 720 * HOUR,
      keptMs: {
        deliveries: 90 * 24 * HOUR,
        runEvents: 30 * 24 * HOUR,
        toolCalls: 30 * 24 * HOUR,
        decisions: 90 * 24 * HOUR,
        transitions: 90 * 24 * HOUR,
        effects: 30 * 24 * HOUR,
        details: 30 * 24 * HOUR,
        records: 365 * 24 * HOUR,
      },
    },
    sandbox: { mode: "none", network: "none", allowHosts: [] },
    ...overrides,
  });
}

/** Agents are confined, without a network. */
export const CONFINED: Settings["sandbox"] = { mode: "bubblewrap", network: "none", allowHosts: [] };
