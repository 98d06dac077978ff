import type { Role, Roles } from "../agents/role.ts";
import { type LimitSettings, limitsFor, lowered } from "../breakers/limits.ts";
import { EVALUATOR } from "../evidence/evaluation.ts";
import type { Skill } from "../instructions/skill.ts";
import { bounded } from "./bounded.ts";
import { permittedSetup } from "./permitted-setup.ts";
import type { RepositoryOverride, RoleOverride } from "./repository-override.ts";
import { BREAKER_SECTIONS, TOP_KEYS, TOP_SECTIONS } from "./repository-schema.ts";
import { BUILT_IN_RUNTIME } from "./runtime-section.ts";
import { hasProvider, modelsOf, modelWritten, runtimeOfRole, runtimeUse } from "./runtime-use.ts";
import type { Settings } from "./settings.ts";

/**
 * Returns the settings of a repository with a file of its own, within the operator's: limits are only lowered,
 * protections only added, and no role gets a tool that the operator's roles do not have. That also applies to a file
 * that was valid under an earlier configuration.
 */
export function settingsFor(base: Settings, written: RepositoryOverride): Settings {
  const services = base.setup.repositoriesMay.services ? written.services : undefined;
  const override = { ...written, services, setup: permittedSetup(base.setup, written.setup ?? {}) };
  const sections = [...TOP_SECTIONS, ...BREAKER_SECTIONS].map(({ name, keys }) => {
    return [name, bounded<object>(keys, Reflect.get(base, name), Reflect.get(override, name) ?? {})] as const;
  });
  const top = bounded(TOP_KEYS, base, override);
  return {
    ...top,
    ...Object.fromEntries(sections),
    policy: withInstructions(base.policy, top.instructions),
    roles: rolesFor(base, override.roles),
    limits: limitSettingsFor(base, override.limits),
  };
}

/** Files that the repository lists as instructions are protected, as those of the usual names are by default. */
function withInstructions(policy: Settings["policy"], listed: Settings["instructions"]): Settings["policy"] {
  if (typeof listed === "boolean") return policy;
  return { ...policy, protectedPaths: [...new Set([...policy.protectedPaths, ...listed])] };
}

/** What a role of a repository may use at most. */
export type RoleReach = Pick<Role, "capabilities" | "tools" | "mcpTools" | "skills"> & {
  readonly models: readonly string[];
};

/**
 * Returns what a role may use: its own reach for a role of the operator's; for a new one, all that the operator's roles
 * of its evidence have together. Models are those that the operator uses with its runtime or has priced, because no limit
 * applies to the cost of another one.
 */
export function reachOf(base: Settings, name: string, evidence: Role["evidence"]): RoleReach {
  const own = base.roles.get(name);
  const alike = own === undefined ? [...base.roles.values()].filter(isLike(evidence)) : [own];
  const { model, prices } = base.runtime;
  const runtime = runtimeOfRole(own ?? { runtime: undefined }, base);
  const used = [...base.roles.values()]
    .map((role) => runtimeUse(role, base))
    .filter((use) => use.runtime === runtime)
    .flatMap((use) => use.models.map(modelWritten));
  // A model with a price alone is of one of the built-in runtime's APIs, and perhaps of none that another one speaks.
  const permitted =
    runtime === BUILT_IN_RUNTIME ? [model, ...used, ...prices.keys()] : [...used, ...modelsOf(runtime, base)];
  return {
    capabilities: [...new Set(alike.flatMap(({ capabilities }) => capabilities))],
    tools: [...new Set(alike.flatMap(({ tools }) => tools))],
    mcpTools: [...new Set(alike.flatMap(({ mcpTools }) => mcpTools))],
    skills: [...new Map(alike.flatMap(({ skills }) => skills.map((one) => [one.name, one]))).values()],
    models: [...new Set(permitted)],
  };
}

/** Leaves out the evaluator, which is the operator's own and lends its tools to nobody. */
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
  // The operator has removed the role since, and the file does not define a whole one.
  if (kind === undefined || text === undefined) return undefined;
  const reach = reachOf(base, name, kind.evidence);
  const models = (text.model === undefined ? [] : [text.model, ...(text.otherModels ?? [])]).filter((model) =>
    reach.models.includes(model),
  );
  const [model, ...otherModels] = models.length > 0 ? models : usedBy(own);
  const using = { runtime: own?.runtime, model, otherModels };
  return {
    name,
    description: text.description,
    emoji: text.emoji,
    ...using,
    temperature: (hasProvider(using, base) ? text.temperature : undefined) ?? own?.temperature,
    lifecycle: kind.lifecycle,
    evidence: kind.evidence,
    checkout: kind.checkout,
    singleton: own?.singleton === true || override.singleton === true,
    planFirst: own?.planFirst === true || override.planFirst === true,
    triggers: override.triggers ?? own?.triggers ?? [],
    capabilities: text.capabilities.filter((one) => reach.capabilities.includes(one)),
    tools: text.tools.filter((one) => reach.tools.includes(one)),
    mcpTools: (text.mcpTools ?? []).filter((one) => reach.mcpTools.includes(one)),
    skills: override.file === undefined ? (own?.skills ?? []) : named(reach.skills, override.file.skillNames),
    prompt: text.prompt,
    limits: text.limits,
    attributes: { ...text.attributes, ttlMs: sooner(own?.attributes.ttlMs ?? null, text.attributes.ttlMs) },
  };
}

/** Returns the models that the role names itself. */
const usedBy = (role: Role | undefined): readonly string[] =>
  role?.model === undefined ? [] : [role.model, ...role.otherModels];

function named(skills: readonly Skill[], names: readonly string[] = []): readonly Skill[] {
  return skills.filter(({ name }) => names.includes(name));
}

/** Returns the shorter time; null means for ever. */
function sooner(ours: number | null, theirs: number | null): number | null {
  return ours === null || theirs === null ? (ours ?? theirs) : Math.min(ours, theirs);
}

/** Returns the limits with the operator's values of each role as the upper bound: the repository's only lower them. */
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
