import { type LevelSettings, matchesRepository } from "../access/level-of.ts";
import type { Roles } from "../agents/role.ts";
import type { DiskLimits } from "../breakers/disk.ts";
import type { LimitSettings } from "../breakers/limits.ts";
import type { Prices } from "../breakers/money.ts";
import type { ModelProvider } from "../ports/agent-runtime.ts";
import type { KeptKind } from "../ports/audit-tables.ts";
import type { MergeMethod } from "../ports/github-changes.ts";
import type { QuestionTimes } from "../questions/question-times.ts";

/**
 * What the engine, the intake and the tools need of the configuration; no secrets. Frozen, made by `src/config`.
 * Durations in milliseconds.
 */
export interface Settings extends LevelSettings {
  readonly project: { readonly name: string };
  /** Allow-list of `owner/name` patterns. See `allowsRepository`. */
  readonly repositories: readonly string[];
  readonly runtime: {
    /** The model of roles that name none. */
    readonly model: string;
    /** By the model's name. */
    readonly prices: Prices;
    /** Agents ACTIVE at the same time. */
    readonly maxConcurrentAgents: number;
    /** `ask`: risky calls wait for a person. */
    readonly permissionMode: "auto" | "ask";
    /** Undefined: GitHub Copilot with a token. */
    readonly provider:
      | (Omit<ModelProvider, "apiKey"> & {
          /** Name of the variable that holds the key. */
          readonly apiKeyEnv: string;
        })
      | undefined;
  };
  readonly roles: Roles;
  /** Pattern of branch names with `{role}` and `{number}`. */
  readonly branches: string;
  /** Each commit carries a `Signed-off-by` of the App's bot. */
  readonly commits: { readonly signOff: boolean };
  readonly limits: LimitSettings;
  /** Limits of one repository and day (UTC). */
  readonly repositoryPerDay: {
    /** US dollars; undefined when switched off. */
    readonly maxCostUsd: number | undefined;
    /** Agents started. */
    readonly maxAgents: number;
  };
  readonly disk: DiskLimits;
  readonly retries: {
    /** Restarts after a runtime's death before the agent fails. */
    readonly maxRestarts: number;
    /** How often a draft is looked at whose coder waits for it. */
    readonly coderPollMs: number;
  };
  readonly leases: { readonly agentMs: number; readonly taskMs: number };
  readonly review: {
    /** Work completes only with a review. */
    readonly required: boolean;
    /** How many must approve. */
    readonly reviewers: number;
    /** Rejections in a row after which a task needs a person. */
    readonly maxCycles: number;
    /** How long a reviewing agent holds its claim without a sign of life. */
    readonly leaseMs: number;
  };
  /** `auto` only where the level is `merge`. */
  readonly merge: { readonly auto: boolean; readonly method: MergeMethod };
  readonly setup: {
    /** Lines of shell that prepare a worktree. */
    readonly commands: readonly string[];
    /** Names of the hosts that they may reach, by HTTPS. */
    readonly network: readonly string[];
    /** Names of directories that the setups of one repository share. */
    readonly cache: readonly string[];
  };
  readonly evidence: {
    /** Lines of shell that the host runs on a clean checkout of a claimed commit. */
    readonly commands: readonly string[];
    /** Of one command, setup commands too. */
    readonly timeoutMs: number;
    /** Names of GitHub checks that must be green on the claimed commit. */
    readonly requiredChecks: readonly string[];
    /** How often a completion without its evidence is sent back before a person is asked. */
    readonly maxBounces: number;
    /** Least confidence, 0 to 1, of a role named `evaluator` where there is one. */
    readonly evaluatorThreshold: number;
  };
  readonly storm: {
    readonly maxStartsPerIssuePerHour: number;
    /** Agents that agents set going: how deep, and how many by one. */
    readonly maxDepth: number;
    readonly maxFanOut: number;
  };
  readonly incident: {
    /** So many issues that fail alike within this time are one incident. */
    readonly issues: number;
    readonly withinMs: number;
  };
  readonly progress: {
    /** Turns in a row that bring nothing new before another way is tried. */
    readonly turnsWithoutChange: number;
  };
  readonly escalation: {
    readonly label: string;
    /** Logins to mention. */
    readonly notify: readonly string[];
  };
  readonly questions: QuestionTimes;
  readonly policy: {
    /** Least permission of a person whose commands count. */
    readonly whoMayCommand: "write" | "maintain" | "admin";
    /** May agents see text of people without write permission, and triage their issues. */
    readonly readUntrusted: boolean;
    /** Numeric ids of bots that may steer. */
    readonly bots: readonly number[];
    /** Patterns of paths that no agent may change. See `protectedAmong`. */
    readonly protectedPaths: readonly string[];
    /** What one agent may put on GitHub at most. */
    readonly maxOutputs: {
      readonly comments: number;
      readonly pullRequests: number;
      readonly issues: number;
    };
  };
  readonly checks: {
    /** How often a check that is known to fail now and then is asked to run again on one commit. */
    readonly flakeReruns: number;
  };
  readonly attention: {
    /** Open pull requests of ours that may await people, in a repository and of one person, before no more is begun. */
    readonly openPrs: number;
  };
  /** How often what agents wait for is read again. */
  readonly reconcileEveryMs: number;
  readonly retention: {
    /** Of what is kept of agents that have ended. */
    readonly worktreesMs: number;
    /** Of the bodies of deliveries that are settled. */
    readonly payloadsMs: number;
    /** Of rows of work that has ended. */
    readonly keptMs: Readonly<Record<KeptKind, number>>;
  };
  readonly sandbox: {
    readonly mode: "bubblewrap" | "none";
    /** `proxy`: the hosts named in `allowHosts`, by HTTPS, and no other. */
    readonly network: "none" | "proxy";
    readonly allowHosts: readonly string[];
  };
}

/** True when a pattern of the allow-list matches `owner/name`. */
export function allowsRepository(settings: Pick<Settings, "repositories">, fullName: string): boolean {
  return settings.repositories.some((pattern) => matchesRepository(pattern, fullName));
}
