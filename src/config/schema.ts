import { z } from "zod";
import { duration } from "./duration.ts";
import { hostList } from "./host-list.ts";
import { SHIPPED_ROLES } from "./role-directory.ts";
import { circuitBreakersSchema } from "./sections/circuit-breakers.ts";
import { levelSchema, levelsSchema } from "./sections/levels.ts";
import { attentionSchema, escalationSchema, policySchema, questionsSchema } from "./sections/people.ts";
import { rolesSchema } from "./sections/roles.ts";
import { runtimeSchema } from "./sections/runtime.ts";
import { telemetrySchema } from "./sections/telemetry.ts";
import {
  checksSchema,
  commitsSchema,
  evidenceSchema,
  leasesSchema,
  mergeSchema,
  retriesSchema,
  reviewSchema,
  setupSchema,
} from "./sections/work.ts";

const projectSchema = z
  .strictObject({
    name: z
      .string()
      .min(1)
      .max(60)
      .prefault("flotilla")
      .describe("Name of the installation, for people.")
      .meta({ examples: ["acme"] }),
  })
  .prefault({})
  .describe("This installation.");

const sandboxSchema = z
  .strictObject({
    mode: z
      .enum(["bubblewrap", "none"])
      .prefault("bubblewrap")
      .describe(
        "How agents, setup and acceptance commands are confined. `none`: not at all; it is said at start, and public repositories are refused.",
      ),
    network: z
      .enum(["none", "proxy"])
      .prefault("none")
      .describe(
        "What a confined agent and its acceptance commands reach. `proxy`: the hosts of `allow_hosts`, by HTTPS. Model calls to a provider need no network.",
      ),
    allow_hosts: hostList().describe(
      "Whole names of hosts, such as `registry.npmjs.org`. Whoever can be written to there can be told what the agent reads.",
    ),
  })
  .prefault({})
  .describe("How agents are confined.");

const retentionSchema = z
  .strictObject({
    payloads: duration()
      .prefault("30d")
      .describe("Bodies of webhooks that were done or ignored; their ids are kept."),
    worktrees: duration()
      .prefault("7d")
      .describe("What is kept of agents that have ended: archived work, checkpoints."),
    deliveries: duration()
      .prefault("90d")
      .describe(
        "Ids and outcomes of webhooks that were done or ignored. GitHub sends one again for 3 days at most.",
      ),
    run_events: duration()
      .prefault("30d")
      .describe("Transcripts of agents whose issue is done: what they said, called and met."),
    tool_calls: duration().prefault("30d").describe("Tool calls of agents whose issue is done."),
    decisions: duration()
      .prefault("90d")
      .describe("Why something was or was not done, on issues that are done."),
    transitions: duration()
      .prefault("90d")
      .describe(
        "Moves of runs, sessions and reviews of issues that are done. Those of agents and tasks: `records`.",
      ),
    effects: duration()
      .prefault("30d")
      .describe("Acts outside that were done, on issues that are done. Not shorter than `payloads`."),
    details: duration()
      .prefault("30d")
      .describe(
        "Of agents whose issue is done: handoffs, wakes, questions, approvals, intents, evidence; single model calls, which become sums of a model and a day. Not shorter than `payloads`.",
      ),
    records: duration()
      .prefault("365d")
      .describe(
        "All else of issues that are done: agents, tasks, their moves, usage, reviews, touches; sprints and goals that are over. The ledger, reports and plots reach back as far.",
      ),
  })
  .superRefine((kept, context) => {
    for (const key of ["effects", "details"] as const)
      if (kept[key] < kept.payloads)
        context.addIssue({
          code: "custom",
          path: [key],
          message:
            "must not be shorter than retention.payloads: a webhook that is replayed would do again what was done",
        });
  })
  .prefault({})
  .describe("How long things are kept.");

/** The configuration file: every key with its description and default. Durations come out in milliseconds. */
export const configSchema = z.strictObject({
  project: projectSchema,
  repositories: z
    .array(
      z.string().regex(/^[A-Za-z0-9*-]+\/[A-Za-z0-9._*-]+$/, {
        error: 'write owner/name, with * for any characters, such as "acme/*"',
      }),
    )
    .min(1, {
      error: 'is empty, so nothing would ever start; leave it out, or write patterns such as "acme/*"',
    })
    .prefault(["*/*"])
    .describe("Allow-list of `owner/name` patterns, within where the App is installed."),
  runtime: runtimeSchema,
  agents_dir: z
    .string()
    .min(1)
    .prefault(SHIPPED_ROLES)
    .describe(
      "Directory of the role files, seen from the working directory. Where the default is not there, those that Flotilla brings.",
    ),
  roles: rolesSchema,
  branches: z
    .string()
    .superRefine((pattern, context) => {
      const fault = branchPatternFault(pattern);
      if (fault !== undefined) context.addIssue({ code: "custom", message: fault });
    })
    .prefault("flotilla/{role}/issue-{number}")
    .describe("Names of agents' branches; needs `{role}` and `{number}`."),
  commits: commitsSchema,
  circuit_breakers: circuitBreakersSchema,
  retries: retriesSchema,
  leases: leasesSchema,
  setup: setupSchema,
  evidence: evidenceSchema,
  review: reviewSchema,
  merge: mergeSchema,
  escalation: escalationSchema,
  attention: attentionSchema,
  checks: checksSchema,
  questions: questionsSchema,
  level: levelSchema,
  levels: levelsSchema,
  policy: policySchema,
  sandbox: sandboxSchema,
  telemetry: telemetrySchema,
  reconcile_every: duration().prefault("5m").describe("How often what live agents wait for is read again."),
  retention: retentionSchema,
});

/** A parsed configuration file. */
export type ConfigFile = z.output<typeof configSchema>;

/** What is wrong with a pattern of branch names; undefined when it is fine. */
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
