import type { Role, Roles } from "../agents/role.ts";
import { type LimitSettings, limitsFor, lowered } from "../breakers/limits.ts";
import { EVALUATOR } from "../evidence/evaluation.ts";
import { bounded } from "./bounded.ts";
import type { RepositoryOverride, RoleOverride } from "./repository-override.ts";
import { BREAKER_SECTIONS, TOP_KEYS, TOP_SECTIONS } from "./repository-schema.ts";
import type { Settings } from "./settings.ts";

/**
 * The settings of a repository with a file of its own. The operator's are the floor, whatever the file says: limits are
 * only lowered, what protects is only added, a role gets no tool that the operator's roles do not have. This holds for
 * a file that was sound under an earlier configuration, too.
 */
export function settingsFor(base: Settings, override: RepositoryOverride): Settings {
  const sections = [...TOP_SECTIONS, ...BREAKER_SECTIONS].map(({ name, keys }) => {
    return [name, bounded<object>(keys, Reflect.get(base, name), Reflect.get(override, name) ?? {})] as const;
  });
  return {
    ...bounded(TOP_KEYS, base, override),
    ...Object.fromEntries(sections),
    roles: rolesFor(base, override.roles),
    limits: limitSettingsFor(base, override.limits),
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

/** Returns null is for ever. */
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
