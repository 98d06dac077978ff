import type { RepositoryOverride, RoleOverride } from "../../domain/settings/repository-override.ts";
import { toLimitOverrides } from "../limit-keys.ts";
import { valueAt } from "../written-schema.ts";
import type { RepositoryFile } from "./schema.ts";

/** A parsed file in the words of the code: what stands in `document`, and no default. */
export function overrideOf(
  parsed: RepositoryFile,
  document: unknown,
  roles: Readonly<Record<string, RoleOverride>>,
): RepositoryOverride {
  const { evidence, review, merge, circuit_breakers: breakers } = parsed;
  const only = <T extends object>(path: string, values: T): Partial<T> => standing(document, path, values);
  const e = only("evidence", evidence);
  const r = only("review", review);
  const day = only("circuit_breakers.repository_per_day", breakers.repository_per_day);
  const storm = only("circuit_breakers.storm", breakers.storm);
  const progress = only("circuit_breakers.progress", breakers.progress);
  return {
    roles,
    branches: only("", parsed).branches,
    evidence: {
      commands: e.commands,
      timeoutMs: e.timeout,
      requiredChecks: e.required_checks,
      maxBounces: e.max_bounces,
      evaluatorThreshold: e.evaluator_threshold,
    },
    review: {
      required: r.required,
      reviewers: r.reviewers,
      maxCycles: r.max_cycles,
      leaseMs: r.lease,
    },
    merge: only("merge", merge),
    limits: {
      defaults: toLimitOverrides(breakers.defaults),
      roles: Object.fromEntries(
        Object.entries(breakers.roles).map(([name, limits]) => [name, toLimitOverrides(limits)]),
      ),
    },
    repositoryPerDay: { maxCostUsd: day.max_cost_usd, maxAgents: day.max_agents },
    storm: {
      maxStartsPerIssuePerHour: storm.max_starts_per_issue_per_hour,
      maxDepth: storm.max_depth,
      maxFanOut: storm.max_fan_out,
    },
    progress: { turnsWithoutChange: progress.turns_without_change },
  };
}

/** The values whose keys stand at a path of the document. */
function standing<T extends object>(document: unknown, path: string, values: T): Partial<T> {
  const here = path === "" ? document : valueAt(document, path.split("."));
  const stands = (key: string) => typeof here === "object" && here !== null && Object.hasOwn(here, key);
  const kept: Partial<T> = { ...values };
  for (const key of Object.keys(values)) if (!stands(key)) Reflect.deleteProperty(kept, key);
  return kept;
}
