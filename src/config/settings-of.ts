import type { Roles } from "../domain/agents/role.ts";
import type { LimitSettings } from "../domain/breakers/limits.ts";
import { microUsd, type Prices } from "../domain/breakers/money.ts";
import { REPOSITORY_FILE } from "../domain/settings/repository-file.ts";
import type { Settings } from "../domain/settings/settings.ts";
import { toLimitOverrides } from "./limit-keys.ts";
import type { ConfigFile } from "./schema.ts";

const GIB = 1024 ** 3;

function limitSettingsOf(written: ConfigFile["circuit_breakers"]): LimitSettings {
  const { defaults } = written;
  return {
    turnCeiling: written.turn_ceiling,
    defaults: {
      maxActiveDurationMs: defaults.max_active_duration,
      maxIterations: defaults.max_iterations,
      maxToolCalls: defaults.max_tool_calls,
      maxTurns: defaults.max_turns,
      maxSleepDurationMs: defaults.max_sleep_duration,
      maxTokens: defaults.max_tokens,
      maxCostUsd: defaults.max_cost_usd,
      warnAt: defaults.warn_at,
    },
    roles: new Map(Object.entries(written.roles).map(([name, limits]) => [name, toLimitOverrides(limits)])),
  };
}

/** Dollars per million tokens are micro-dollars a token; kept as whole micro-dollars per million. */
function pricesOf(written: ConfigFile["runtime"]["prices"]): Prices {
  return new Map(
    Object.entries(written).map(([model, price]) => [
      model,
      { input: microUsd(price.in), cached: microUsd(price.cached), output: microUsd(price.out) },
    ]),
  );
}

/** A sound configuration file and its roles in the words of the code. */
export function settingsOf(file: ConfigFile, roles: Roles): Settings {
  const { provider } = file.runtime;
  return {
    project: file.project,
    repositories: file.repositories,
    runtime: {
      model: file.runtime.model,
      prices: pricesOf(file.runtime.prices),
      maxConcurrentAgents: file.runtime.max_concurrent_agents,
      permissionMode: file.runtime.permission_mode,
      provider: provider && {
        type: provider.type,
        baseUrl: provider.base_url,
        apiKeyEnv: provider.api_key_env,
        wireApi: provider.wire_api,
        maxPromptTokens: provider.max_prompt_tokens,
      },
    },
    roles,
    branches: file.branches,
    commits: { signOff: file.commits.sign_off },
    limits: limitSettingsOf(file.circuit_breakers),
    repositoryPerDay: {
      maxCostUsd: file.circuit_breakers.repository_per_day.max_cost_usd,
      maxAgents: file.circuit_breakers.repository_per_day.max_agents,
    },
    disk: {
      minFreeBytes: file.circuit_breakers.disk.min_free_gib * GIB,
      maxAgentBytes: file.circuit_breakers.disk.max_agent_gib * GIB,
      maxAgentFiles: file.circuit_breakers.disk.max_agent_files,
    },
    retries: {
      maxRestarts: file.retries.max_restarts,
      coderPollMs: file.retries.coder_poll_interval,
    },
    leases: { agentMs: file.leases.agent, taskMs: file.leases.task },
    review: {
      required: file.review.required,
      reviewers: file.review.reviewers,
      maxCycles: file.review.max_cycles,
      leaseMs: file.review.lease,
    },
    merge: { auto: file.merge.auto, method: file.merge.method },
    storm: {
      maxStartsPerIssuePerHour: file.circuit_breakers.storm.max_starts_per_issue_per_hour,
      maxDepth: file.circuit_breakers.storm.max_depth,
      maxFanOut: file.circuit_breakers.storm.max_fan_out,
    },
    incident: {
      issues: file.circuit_breakers.incident.issues,
      withinMs: file.circuit_breakers.incident.within,
    },
    progress: { turnsWithoutChange: file.circuit_breakers.progress.turns_without_change },
    setup: file.setup,
    evidence: {
      commands: file.evidence.commands,
      timeoutMs: file.evidence.timeout,
      requiredChecks: file.evidence.required_checks,
      maxBounces: file.evidence.max_bounces,
      evaluatorThreshold: file.evidence.evaluator_threshold,
    },
    escalation: { label: file.escalation.label, notify: file.escalation.notify },
    questions: {
      deadlineMs: file.questions.deadline,
      remindAfterMs: file.escalation.remind_after,
      secondPersonAfterMs: file.escalation.second_person_after,
    },
    level: file.level,
    levels: file.levels,
    policy: {
      whoMayCommand: file.policy.who_may_command,
      readUntrusted: file.policy.read_untrusted,
      bots: file.policy.bots,
      // What an agent is held to is not an agent's to change, whatever the operator protects besides.
      protectedPaths: [...new Set([...file.policy.protected_paths, REPOSITORY_FILE, ".github/flotilla/**"])],
      maxOutputs: {
        comments: file.policy.max_outputs.comments,
        pullRequests: file.policy.max_outputs.pull_requests,
        issues: file.policy.max_outputs.issues,
      },
    },
    checks: { flakeReruns: file.checks.flake_reruns },
    attention: { openPrs: file.attention.open_prs },
    reconcileEveryMs: file.reconcile_every,
    retention: {
      worktreesMs: file.retention.worktrees,
      payloadsMs: file.retention.payloads,
      keptMs: {
        deliveries: file.retention.deliveries,
        runEvents: file.retention.run_events,
        toolCalls: file.retention.tool_calls,
        decisions: file.retention.decisions,
        transitions: file.retention.transitions,
        effects: file.retention.effects,
        details: file.retention.details,
        records: file.retention.records,
      },
    },
    sandbox: {
      mode: file.sandbox.mode,
      network: file.sandbox.network,
      allowHosts: file.sandbox.allow_hosts,
    },
  };
}
