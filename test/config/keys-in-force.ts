import type { Config } from "../../src/config/load-config.ts";
import { limitsFor } from "../../src/domain/breakers/limits.ts";
import { GUARD_KEYS } from "./guard-keys-in-force.ts";
import { MCP_KEYS_IN_FORCE } from "./keys-of-mcp.ts";
import { NOTICE_KEYS_IN_FORCE } from "./keys-of-notices.ts";
import { PEOPLE_KEYS_IN_FORCE } from "./keys-of-people.ts";
import { PROOF_KEYS_IN_FORCE } from "./keys-of-proof.ts";
import { RUNTIME_KEYS_IN_FORCE } from "./keys-of-runtimes.ts";
import { SANDBOX_KEYS_IN_FORCE } from "./keys-of-sandbox.ts";
import { SCHEDULE_KEYS_IN_FORCE } from "./keys-of-schedules.ts";
import { TELEMETRY_KEYS_IN_FORCE } from "./keys-of-telemetry.ts";

/** A key, a configuration that sets it to something else than its default, and what then holds. */
export interface KeyInForce {
  readonly key: string;
  readonly set: string;
  readonly read: (config: Config) => unknown;
  readonly expected: unknown;
}

const PRICES = (price: string) => `prices: { gpt-4.1: { ${price} }, gpt-5: { ${price} } }`;
const PRICED = (price: string) =>
  PROVIDER("type: openai").replace(/prices: .* }, provider/, `${PRICES(price)}, provider`);
const PROVIDER = (more: string) =>
  `runtime: { ${PRICES("in: 2, cached: 0.5, out: 8")}, provider: { base_url: "http://127.0.0.1:1/x", api_key_env: OTHER_KEY, ${more} } }`;
const ROLE = (more: string) => `roles: { bug-fix: { prompt: bug-fix.md, ${more} } }`;
const LABELED = "triggers: [{ event: issues.labeled, label: crash }]";

function breaker(
  key: string,
  value: string,
  name: keyof Config["limits"]["defaults"],
  expected: number,
): KeyInForce[] {
  return [
    {
      key: `circuit_breakers.defaults.${key}`,
      set: `circuit_breakers: { defaults: { ${key}: ${value} } }`,
      read: (config) => config.limits.defaults[name],
      expected,
    },
    {
      key: `circuit_breakers.roles.*.${key}`,
      set: `circuit_breakers: { roles: { bug-fix: { ${key}: ${value} } } }`,
      read: (config) => limitsFor(config, { name: "bug-fix", limits: {} })[name],
      expected,
    },
  ];
}

/** Every key that is in force, each with a value that must be seen behind the parser. */
export const KEYS_IN_FORCE: readonly KeyInForce[] = [
  ...GUARD_KEYS,
  ...MCP_KEYS_IN_FORCE,
  ...NOTICE_KEYS_IN_FORCE,
  ...SCHEDULE_KEYS_IN_FORCE,
  ...RUNTIME_KEYS_IN_FORCE,
  ...TELEMETRY_KEYS_IN_FORCE,
  { key: "project.name", set: "project: { name: acme }", read: (c) => c.project.name, expected: "acme" },
  { key: "base", set: "base: develop", read: (c) => c.base, expected: "develop" },
  {
    key: "bases",
    set: 'bases: ["release-*", { label: "base:stable", branch: stable }]',
    read: (c) => c.bases,
    expected: ["release-*", { label: "base:stable", branch: "stable" }],
  },
  { key: "repositories", set: 'repositories: ["acme/*"]', read: (c) => c.repositories, expected: ["acme/*"] },
  {
    key: "runtime.provider.type",
    set: PROVIDER("type: anthropic"),
    read: (c) => [c.runtime.provider?.type, c.secrets.provider?.type],
    expected: ["anthropic", "anthropic"],
  },
  {
    key: "runtime.provider.base_url",
    set: PROVIDER("type: azure"),
    read: (c) => [c.runtime.provider?.baseUrl, c.secrets.provider?.baseUrl],
    expected: ["http://127.0.0.1:1/x", "http://127.0.0.1:1/x"],
  },
  {
    key: "runtime.provider.api_key_env",
    set: PROVIDER("type: openai"),
    read: (c) => c.secrets.provider?.apiKey,
    expected: "other-key",
  },
  {
    key: "runtime.provider.wire_api",
    set: PROVIDER("type: openai, wire_api: responses"),
    read: (c) => [c.runtime.provider?.wireApi, c.secrets.provider?.wireApi],
    expected: ["responses", "responses"],
  },
  {
    key: "runtime.provider.max_prompt_tokens",
    set: PROVIDER("type: openai, max_prompt_tokens: 64_000"),
    read: (c) => [c.runtime.provider?.maxPromptTokens, c.secrets.provider?.maxPromptTokens],
    expected: [64_000, 64_000],
  },
  {
    key: "runtime.model",
    set: `${PROVIDER("type: openai").slice(0, -1)}, model: gpt-5 }`,
    read: (c) => c.runtime.model,
    expected: "gpt-5",
  },
  {
    key: "runtime.vision",
    set: `${PROVIDER("type: openai").slice(0, -1)}, vision: [gpt-5] }`,
    read: (c) => c.runtime.vision,
    expected: ["gpt-5"],
  },
  {
    key: "runtime.models",
    set: `${PROVIDER("type: openai").slice(0, -1)}, models: [gpt-5] }`,
    read: (c) => c.runtime.models,
    expected: ["gpt-5"],
  },
  {
    key: "runtime.prices",
    set: PRICED("in: 1, cached: 1, out: 1"),
    read: (c) => c.runtime.prices.get("gpt-5"),
    expected: { input: 1_000_000, cached: 1_000_000, output: 1_000_000 },
  },
  {
    key: "runtime.prices.*.in",
    set: PRICED("in: 3.125, cached: 0.5, out: 8"),
    read: (c) => c.runtime.prices.get("gpt-4.1")?.input,
    expected: 3_125_000,
  },
  {
    key: "runtime.prices.*.cached",
    set: PRICED("in: 2, cached: 0.075, out: 8"),
    read: (c) => c.runtime.prices.get("gpt-4.1")?.cached,
    expected: 75_000,
  },
  {
    key: "runtime.prices.*.out",
    set: PRICED("in: 2, cached: 0.5, out: 9"),
    read: (c) => c.runtime.prices.get("gpt-4.1")?.output,
    expected: 9_000_000,
  },
  {
    key: "runtime.max_concurrent_agents",
    set: `${PROVIDER("type: openai").slice(0, -1)}, max_concurrent_agents: 3 }`,
    read: (c) => c.runtime.maxConcurrentAgents,
    expected: 3,
  },
  {
    key: "runtime.permission_mode",
    set: `${PROVIDER("type: openai").slice(0, -1)}, permission_mode: ask }`,
    read: (c) => c.runtime.permissionMode,
    expected: "ask",
  },
  {
    key: "agents_dir",
    set: "agents_dir: other/roles",
    read: (c) => c.roles.get("triage")?.description,
    expected: "Another triage.",
  },
  { key: "roles", set: ROLE(LABELED), read: (c) => [...c.roles.keys()], expected: ["bug-fix"] },
  {
    key: "roles.*.prompt",
    set: `roles: { mender: { prompt: mender.md, ${LABELED} } }`,
    read: (c) => c.roles.get("mender")?.prompt,
    expected: "You fix.",
  },
  {
    key: "roles.*.lifecycle",
    set: ROLE(`lifecycle: ephemeral, evidence: outputs, ${LABELED}`),
    read: (c) => c.roles.get("bug-fix")?.lifecycle,
    expected: "ephemeral",
  },
  {
    key: "roles.*.evidence",
    set: ROLE(`evidence: none, ${LABELED}`),
    read: (c) => c.roles.get("bug-fix")?.evidence,
    expected: "none",
  },
  {
    key: "roles.*.singleton",
    set: ROLE(`singleton: true, ${LABELED}`),
    read: (c) => c.roles.get("bug-fix")?.singleton,
    expected: true,
  },
  {
    key: "roles.*.plan_first",
    set: ROLE(`plan_first: true, ${LABELED}`),
    read: (c) => c.roles.get("bug-fix")?.planFirst,
    expected: true,
  },
  {
    key: "roles.*.triggers",
    set: ROLE("triggers: [{ event: issues.opened }, { event: issues.labeled, label: crash }]"),
    read: (c) => c.roles.get("bug-fix")?.triggers.length,
    expected: 2,
  },
  {
    key: "roles.*.triggers.*.event",
    set: ROLE("triggers: [{ event: issues.opened }]"),
    read: (c) => c.roles.get("bug-fix")?.triggers,
    expected: [{ event: "issues.opened" }],
  },
  {
    key: "roles.*.triggers.*.label",
    set: ROLE(LABELED),
    read: (c) => c.roles.get("bug-fix")?.triggers,
    expected: [{ event: "issues.labeled", label: "crash" }],
  },
  {
    key: "commits.sign_off",
    set: "commits: { sign_off: true }",
    read: (c) => c.commits.signOff,
    expected: true,
  },
  {
    key: "branches",
    set: "branches: bots/{number}-{role}",
    read: (c) => c.branches,
    expected: "bots/{number}-{role}",
  },
  ...breaker("max_active_duration", "90s", "maxActiveDurationMs", 90_000),
  ...breaker("max_iterations", "2", "maxIterations", 2),
  ...breaker("max_tool_calls", "7", "maxToolCalls", 7),
  ...breaker("max_turns", "4", "maxTurns", 4),
  ...breaker("max_sleep_duration", "7d", "maxSleepDurationMs", 604_800_000),
  ...breaker("max_tokens", "9000", "maxTokens", 9000),
  ...breaker("max_cost_usd", "1.5", "maxCostUsd", 1.5),
  ...breaker("warn_at", "0.5", "warnAt", 0.5),
  {
    key: "circuit_breakers.roles",
    set: "circuit_breakers: { roles: {} }",
    read: (c) => [...c.limits.roles.keys()],
    expected: [],
  },
  {
    key: "retries.coder_poll_interval",
    set: "retries: { coder_poll_interval: 5m }",
    read: (c) => c.retries.coderPollMs,
    expected: 300_000,
  },
  {
    key: "retries.max_restarts",
    set: "retries: { max_restarts: 0 }",
    read: (c) => c.retries.maxRestarts,
    expected: 0,
  },
  { key: "leases.agent", set: "leases: { agent: 2m }", read: (c) => c.leases.agentMs, expected: 120_000 },
  { key: "leases.task", set: "leases: { task: 2m }", read: (c) => c.leases.taskMs, expected: 120_000 },
  {
    key: "review.max_cycles",
    set: "review: { max_cycles: 2 }",
    read: (c) => c.review.maxCycles,
    expected: 2,
  },
  ...PROOF_KEYS_IN_FORCE,
  ...SANDBOX_KEYS_IN_FORCE,
  ...PEOPLE_KEYS_IN_FORCE,
];
