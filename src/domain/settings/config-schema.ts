import { z } from "zod";
import { circuitBreakers } from "../breakers/circuit-breakers.ts";
import { base, bases } from "./bases.ts";
import { duration } from "./duration.ts";
import { object, section, setting } from "./keys.ts";
import { mcpServers } from "./mcp-section.ts";
import { notices } from "./notices-section.ts";
import {
  attention,
  escalation,
  level,
  levels,
  policy,
  questions,
  repositoryPattern,
} from "./people-sections.ts";
import { registries } from "./registries-section.ts";
import { roles } from "./role-schema.ts";
import { runtime } from "./runtime-section.ts";
import { providers, runtimeLabels, runtimes } from "./runtimes-section.ts";
import { schedules } from "./schedules-section.ts";
import { services } from "./services-section.ts";
import { telemetry } from "./telemetry-schema.ts";
import { weights } from "./weights-section.ts";
import {
  checks,
  commits,
  evidence,
  instructions,
  leases,
  merge,
  retries,
  review,
  sandbox,
  setup,
} from "./work-sections.ts";

/** Default of `agents_dir`, the directory of the role files shipped with Flotilla. */
export const SHIPPED_ROLES = "config/roles";

const project = section("project", "This installation.", {
  name: setting("name", z.string().min(1).max(60), {
    description: "Name of the installation, for people.",
    default: "flotilla",
    example: "acme",
  }),
});

const retention = section(
  "retention",
  "How long things are kept.",
  {
    payloadsMs: setting("payloads", duration(), {
      description: "Bodies of handled or ignored webhooks; their ids stay.",
      default: "30d",
    }),
    worktreesMs: setting("worktrees", duration(), {
      description: "Archived work and checkpoints of agents that have ended.",
      default: "7d",
    }),
    deliveries: setting("deliveries", duration(), {
      description: "Ids and outcomes of handled or ignored webhooks. GitHub can redeliver one for 3 days.",
      default: "90d",
    }),
    runEvents: setting("run_events", duration(), {
      description: "Transcripts of agents whose issue is done.",
      default: "30d",
    }),
    toolCalls: setting("tool_calls", duration(), {
      description: "Tool calls of agents whose issue is done.",
      default: "30d",
    }),
    decisions: setting("decisions", duration(), {
      description: "Why something was or was not done, on issues that are done.",
      default: "90d",
    }),
    transitions: setting("transitions", duration(), {
      description:
        "Transitions of runs, sessions and reviews of issues that are done. Those of agents and tasks: `records`.",
      default: "90d",
    }),
    effects: setting("effects", duration(), {
      description: "Finished effects of issues that are done. Not shorter than `payloads`.",
      default: "30d",
    }),
    details: setting("details", duration(), {
      description:
        "Of agents whose issue is done: handoffs, wakes, questions, approvals, intents, evidence; single model calls, which become sums of a model and a day. Not shorter than `payloads`.",
      default: "30d",
    }),
    records: setting("records", duration(), {
      description:
        "Everything else of issues that are done: agents, tasks, their transitions, usage, reviews, changed files; sprints and goals that have ended. The ledger, reports and plots reach back this far.",
      default: "365d",
    }),
  },
  (kept, context) => {
    for (const name of ["effects", "details"] as const)
      if (kept[name] < kept.payloadsMs)
        context.addIssue({
          code: "custom",
          path: [name],
          message:
            "must not be shorter than retention.payloads: a webhook that is replayed would do again what was done",
        });
  },
);

/** Every key of the configuration file, in the order in which the documentation shows them. */
export const configKeys = {
  project,
  repositories: setting(
    "repositories",
    z.array(repositoryPattern()).min(1, {
      error: 'is empty, so nothing would ever start; leave it out, or write patterns such as "acme/*"',
    }),
    {
      description:
        "Patterns `owner/name` of the repositories that Flotilla works on, among those where the App is installed.",
      default: ["*/*"],
    },
  ),
  runtime,
  providers,
  runtimes,
  runtimeLabels,
  agentsDir: setting("agents_dir", z.string().min(1), {
    description:
      "Directory of the role files, relative to the working directory. If the default directory does not exist, Flotilla uses its own role files.",
    default: SHIPPED_ROLES,
  }),
  roles,
  branches: setting(
    "branches",
    z.string().superRefine((pattern, context) => {
      const fault = branchPatternFault(pattern);
      if (fault !== undefined) context.addIssue({ code: "custom", message: fault });
    }),
    {
      description: "Names of agents' branches; needs `{role}` and `{number}`.",
      default: "flotilla/{role}/issue-{number}",
      repository: "replace",
    },
  ),
  base,
  bases,
  commits,
  circuitBreakers,
  weights,
  retries,
  leases,
  setup,
  registries,
  services,
  evidence,
  instructions,
  review,
  merge,
  escalation,
  notices,
  attention,
  checks,
  questions,
  schedules,
  level,
  levels,
  policy,
  sandbox,
  mcpServers,
  telemetry,
  reconcileEveryMs: setting("reconcile_every", duration(), {
    description: "How often Flotilla re-reads on GitHub what live agents wait for.",
    default: "5m",
  }),
  retention,
};

/**
 * The configuration file: unknown keys are faults; the result has the values under the names of the code, with every
 * default.
 */
export const configSchema = object(configKeys).transform(
  ({
    circuitBreakers: { turnCeiling, defaults, roles: limitsOfRoles, ...breakers },
    escalation: { remindAfterMs, secondPersonAfterMs, ...asking },
    retention: { payloadsMs, worktreesMs, ...keptMs },
    ...sections
  }) => ({
    ...sections,
    ...breakers,
    limits: { turnCeiling, defaults, roles: limitsOfRoles },
    escalation: asking,
    questions: { ...sections.questions, remindAfterMs, secondPersonAfterMs },
    retention: { payloadsMs, worktreesMs, keptMs },
  }),
);

/** A parsed configuration file. */
export type ConfigFile = z.output<typeof configSchema>;

/** Returns what is wrong with a pattern of branch names; undefined when it is fine. */
function branchPatternFault(pattern: string): string | undefined {
  if (!pattern.includes("{role}") || !pattern.includes("{number}")) {
    return "needs {role} and {number}, so that every agent has its own branch";
  }
  const name = pattern.replaceAll("{role}", "role").replaceAll("{number}", "1");
  if (/[{}]/.test(name)) return "knows only {role} and {number}";
  const parts = name.split("/");
  const legal = parts.every(
    (part) => /^[A-Za-z0-9_][A-Za-z0-9._-]*$/.test(part) && !/\.\.|\.$|\.lock$/.test(part),
  );
  return legal
    ? undefined
    : "does not make a legal branch name: use letters, digits, and single - _ . / inside";
}
