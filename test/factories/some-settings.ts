import type { Role } from "../../src/domain/agents/role.ts";
import type { Limits } from "../../src/domain/breakers/limits.ts";
import { configSchema } from "../../src/domain/settings/config-schema.ts";
import { type Settings, settingsOf } from "../../src/domain/settings/settings.ts";
import { ROLES } from "./a-role.ts";

const DEFAULTS = configSchema.parse({});

/** The default limits, without a cost limit. */
export const LIMITS: Limits = { ...DEFAULTS.limits.defaults, maxCostUsd: undefined };

export function rolesOf(...roles: readonly Role[]): Settings["roles"] {
  return new Map(roles.map((role) => [role.name, role]));
}

/** Builds the default configuration with the shipped roles, without a cost limit or confinement. Frozen at the top level. */
export function someSettings(overrides: Partial<Settings> = {}): Settings {
  return Object.freeze<Settings>({
    ...settingsOf(DEFAULTS, rolesOf(...ROLES)),
    project: { name: "acme" },
    repositories: ["acme/*"],
    limits: { ...DEFAULTS.limits, defaults: LIMITS, roles: new Map() },
    repositoryPerDay: { ...DEFAULTS.repositoryPerDay, maxCostUsd: undefined },
    sandbox: { ...DEFAULTS.sandbox, mode: "none" },
    ...overrides,
  });
}

/** The operator's own model provider. */
export const PROVIDER: NonNullable<Settings["runtime"]["provider"]> = {
  type: "openai",
  baseUrl: "https://models.test/v1",
  apiKeyEnv: "MODEL_API_KEY",
  wireApi: "completions",
  maxPromptTokens: undefined,
};

/** Agents are confined, without network access. */
export const CONFINED: Settings["sandbox"] = {
  mode: "bubblewrap",
  network: "none",
  allowHosts: [],
  privateHosts: [],
  memoryBytes: null,
  hostMemoryBytes: 0,
};
