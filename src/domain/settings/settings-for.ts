import type { Role, Roles } from "../agents/role.ts";
import { atMost, type LimitSettings, limitsFor, lowered } from "../breakers/limits.ts";
import { EVALUATOR } from "../evidence/evaluation.ts";
import type { RepositoryOverride, RoleOverride } from "./repository-override.ts";
import type { Settings } from "./settings.ts";

/**
 * The settings of a repository with a file of its own. The operator's are the floor, whatever the file says: limits are
 * only lowered, what protects is only added, a role gets no tool that the operator's roles do not have. This holds for
 * a file that was sound under an earlier configuration, too.
 */
export function settingsFor(base: Settings, override: RepositoryOverride): Settings {
  const { evidence, review, merge, repositoryPerDay, storm, progress } = override;
  return {
    ...base,
    roles: rolesFor(base, override.roles),
    branches: override.branches ?? base.branches,
    limits: limitSettingsFor(base, override.limits),
    repositoryPerDay: {
      maxCostUsd: lowest(base.repositoryPerDay.maxCostUsd, repositoryPerDay.maxCostUsd),
      maxAgents: atMost(base.repositoryPerDay.maxAgents, repositoryPerDay.maxAgents),
    },
    evidence: {
      commands: evidence.commands?.length ? evidence.commands : base.evidence.commands,
      timeoutMs: atMost(base.evidence.timeoutMs, evidence.timeoutMs),
      requiredChecks: [...new Set([...base.evidence.requiredChecks, ...(evidence.requiredChecks ?? [])])],
      maxBounces: atMost(base.evidence.maxBounces, evidence.maxBounces),
      evaluatorThreshold: atLeast(base.evidence.evaluatorThreshold, evidence.evaluatorThreshold),
    },
    review: {
      required: base.review.required || review.required === true,
      reviewers: atLeast(base.review.reviewers, review.reviewers),
      maxCycles: atMost(base.review.maxCycles, review.maxCycles),
      leaseMs: atMost(base.review.leaseMs, review.leaseMs),
    },
    merge: {
      auto: base.merge.auto && merge.auto !== false,
      method: merge.method ?? base.merge.method,
    },
    storm: {
      ...base.storm,
      maxStartsPerIssuePerHour: atMost(base.storm.maxStartsPerIssuePerHour, storm.maxStartsPerIssuePerHour),
      maxDepth: atMost(base.storm.maxDepth, storm.maxDepth),
      maxFanOut: atMost(base.storm.maxFanOut, storm.maxFanOut),
    },
    progress: {
      turnsWithoutChange: atMost(base.progress.turnsWithoutChange, progress.turnsWithoutChange),
    },
  };
}

/** What a role of a repository may use at most. */
export type RoleReach = Pick<Role, "capabilities" | "tools"> & { readonly models: readonly string[] };

/**
 * A role that the operator has: what it has there. Another: what the operator's roles of its evidence have between
 * them. Models are those that the operator uses or has priced, because another one would cost what nobody limits.
 */
export function reachOf(base: Settings, name: string, evidence: Role["evidence"]): RoleReach {
  const own = base.roles.get(name);
  const alike = own === undefined ? [...base.roles.values()].filter(isLike(evidence)) : [own];
  const { model, prices } = base.runtime;
  const used = [...base.roles.values()].map((role) => role.model ?? model);
  return {
    capabilities: [...new Set(alike.flatMap(({ capabilities }) => capabilities))],
    tools: [...new Set(alike.flatMap(({ tools }) => tools))],
    models: [...new Set([model, ...used, ...prices.keys()])],
  };
}

/** The evaluator is the operator's own: it lends its tools to nobody. */
const isLike = (evidence: Role["evidence"]) => (role: Role) =>
  role.name !== EVALUATOR && role.evidence === evidence;

function rolesFor(base: Settings, overrides: RepositoryOverride["roles"]): Roles {
  const wanted = new Map(Object.entries(overrides));
  wanted.delete(EVALUATOR);
  const roles = [...new Set([...base.roles.keys(), ...wanted.keys()])].flatMap((name) => {
    const role = roleFor(base, name, wanted.get(name));
    return role === undefined ? [] : [[name, role] as const];
  });
  return new Map(roles);
}

function roleFor(base: Settings, name: string, override: RoleOverride | undefined): Role | undefined {
  const own = base.roles.get(name);
  if (override === undefined) return own;
  const kind = own ?? override.kind;
  const text = override.file ?? own;
  // The operator has taken the role away since, and of itself it is none.
  if (kind === undefined || text === undefined) return undefined;
  const reach = reachOf(base, name, kind.evidence);
  const { model } = text;
  return {
    name,
    description: text.description,
    emoji: text.emoji,
    model: model !== undefined && reach.models.includes(model) ? model : own?.model,
    lifecycle: kind.lifecycle,
    evidence: kind.evidence,
    checkout: kind.checkout,
    singleton: own?.singleton === true || override.singleton === true,
    planFirst: own?.planFirst === true || override.planFirst === true,
    triggers: override.triggers ?? own?.triggers ?? [],
    capabilities: text.capabilities.filter((one) => reach.capabilities.includes(one)),
    tools: text.tools.filter((one) => reach.tools.includes(one)),
    prompt: text.prompt,
    limits: text.limits,
    marks: { ...text.marks, ttlMs: sooner(own?.marks.ttlMs ?? null, text.marks.ttlMs) },
  };
}

/** Null is for ever. */
function sooner(ours: number | null, theirs: number | null): number | null {
  return ours === null || theirs === null ? (ours ?? theirs) : Math.min(ours, theirs);
}

/** What holds of a role for the operator, one by one, is where its limits begin: the repository's only lower it. */
function limitSettingsFor(base: Settings, override: RepositoryOverride["limits"]): LimitSettings {
  const wanted = new Map(Object.entries(override.roles));
  const names = new Set([...base.roles.keys(), ...base.limits.roles.keys(), ...wanted.keys()]);
  const roles = [...names].map((name) => {
    const own = limitsFor(base, base.roles.get(name) ?? { name, limits: {} });
    return [name, lowered(lowered(own, override.defaults), wanted.get(name) ?? {})] as const;
  });
  const { turnCeiling, defaults } = base.limits;
  return { turnCeiling, defaults: lowered(defaults, override.defaults), roles: new Map(roles) };
}

function atLeast(current: number, wanted: number | undefined): number {
  return wanted === undefined ? current : Math.max(current, wanted);
}

/** Undefined is no limit. */
function lowest(current: number | undefined, wanted: number | undefined): number | undefined {
  return current === undefined ? wanted : atMost(current, wanted);
}
