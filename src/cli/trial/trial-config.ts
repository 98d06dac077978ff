import type { Config } from "../../config/load-config.ts";
import type { LocalGitHub } from "../../demo/github/start.ts";
import type { Role } from "../../domain/agents/role.ts";
import { ALL_ROLES } from "../../domain/recovery/node-roles.ts";
import { roleIn } from "../../domain/settings/runtime-use.ts";
import type { TrialArm } from "../../domain/trial/trial-line.ts";

/** What one run of a trial needs of its Flotilla. */
export interface RunPlace {
  readonly github: Pick<LocalGitHub, "app" | "host">;
  /** The data directory of this run alone. */
  readonly dataDir: string;
  readonly repository: string;
  readonly webhookSecret: string;
  readonly arm: TrialArm;
  readonly role: Role;
  /** The label that starts the role. */
  readonly label: string;
  readonly setup: readonly string[];
  readonly tests: readonly string[];
  /** US dollars that this run may still cost; undefined: as much as the role may. */
  readonly maxCostUsd: number | undefined;
}

/** Names below these are GitHub's own, whatever GitHub the operator uses. */
const GITHUB = ["github.com", "githubusercontent.com", "githubassets.com", "github.dev", "ghcr.io"];

/**
 * Returns the operator's configuration as one run of a trial has it: limits, sandbox, providers, registries and prompts are
 * the operator's. Nothing in it leads to the real GitHub, where the answer is and where nothing may be written, to people, or
 * to MCP servers, which can do both. The role is alone, so that no other agent works, and waits for no person's approval of
 * its plan: nobody is there to give one.
 */
export function trialConfig(config: Config, place: RunPlace): Config {
  const { github, dataDir, role, arm, maxCostUsd } = place;
  const own = {
    ...roleIn(role, arm.agent, config),
    model: arm.model,
    otherModels: [],
    mcpTools: [],
    planFirst: false,
    triggers: [{ event: "issues.labeled", label: place.label }],
    limits: { ...role.limits, ...(maxCostUsd === undefined ? {} : { maxCostUsd: lower(role, maxCostUsd) }) },
  };
  const isElsewhere = (host: string) => !isGitHub(host, config.environment.gheHost);
  const placed: Omit<Config, "secrets" | "inForce"> = {
    ...config,
    repositories: [place.repository],
    roles: new Map([[role.name, own]]),
    runtimeLabels: {},
    base: null,
    bases: [],
    level: "pr",
    levels: { repositories: {}, labels: {} },
    schedules: {},
    notices: {},
    mcpServers: {},
    escalation: { ...config.escalation, notify: [] },
    merge: { ...config.merge, auto: false },
    review: { ...config.review, required: false },
    setup: {
      ...config.setup,
      commands: place.setup,
      network: config.setup.network.filter(isElsewhere),
      repositoriesMay: {
        ...config.setup.repositoriesMay,
        hosts: config.setup.repositoriesMay.hosts.filter(isElsewhere),
      },
    },
    // No CI runs on the local GitHub.
    evidence: { ...config.evidence, commands: place.tests, requiredChecks: [] },
    sandbox: { ...config.sandbox, allowHosts: config.sandbox.allowHosts.filter(isElsewhere) },
    environment: {
      ...config.environment,
      appId: github.app.id,
      gheHost: github.host,
      gheProtocol: "http",
      host: "127.0.0.1",
      hosts: [],
      port: 0,
      publicUrl: null,
      dataDir,
      roles: ALL_ROLES,
    },
  };
  return {
    ...placed,
    secrets: {
      ...config.secrets,
      privateKey: github.app.privateKey,
      webhookSecret: place.webhookSecret,
      webhookSecretPrevious: undefined,
      dashboardToken: undefined,
      markerSecret: undefined,
      signIn: undefined,
      collector: undefined,
      mcpServers: new Map(),
      noticeAddresses: new Map(),
    },
    inForce: [],
  };
}

/** A role file's limit can only lower. */
function lower({ limits }: Role, maxCostUsd: number): number {
  return Math.min(maxCostUsd, limits.maxCostUsd ?? maxCostUsd);
}

function isGitHub(host: string, gheHost: string | undefined): boolean {
  const own = gheHost === undefined ? [] : [gheHost.replace(/:\d+$/, "")];
  return [...GITHUB, ...own].some((name) => host === name || host.endsWith(`.${name}`));
}
