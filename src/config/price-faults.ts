import type { Role, Roles } from "../domain/agents/role.ts";
import { allowedModels } from "../domain/agents/start-choice.ts";
import { budgetsInForce } from "../domain/breakers/budgets.ts";
import type { ConfigFile } from "../domain/settings/config-schema.ts";
import { namedModel, roleIn, runtimeNames, runtimeOfRole } from "../domain/settings/runtime-use.ts";
import { valueAt } from "./written-schema.ts";

/** Where a cost limit is written, for one role or for all. */
interface Written {
  readonly path: string;
  readonly roles: readonly string[];
}

/**
 * Returns a fault for each cost limit that cannot apply because the model has no price, if somebody wrote the
 * limit or priced some models; where only the defaults would limit, a notice.
 */
export function priceFaults(
  parsed: ConfigFile,
  options: { readonly document: unknown; readonly roles: Roles; readonly file: string },
): { readonly faults: readonly string[]; readonly notices: readonly string[] } {
  const { roles, file } = options;
  const { prices } = parsed.runtime;
  const written = [...roleLimits(parsed, options.document, roles), ...sharedLimits(options.document, roles)];
  const unpriced = [...roles.values()]
    .flatMap((role) => modelsFor(role, roles, parsed).map((model) => ({ role: role.name, model })))
    .filter(({ role, model }) => !prices.has(model) && isLimited(parsed, role));
  const faults: string[] = [];
  const notices: string[] = [];
  for (const [model, uses] of Map.groupBy(unpriced, (use) => use.model)) {
    const names = uses.map(({ role }) => role);
    const by = written.find((limit) => limit.roles.some((role) => names.includes(role)))?.path;
    if (by !== undefined || prices.size > 0)
      faults.push(
        `${file}: runtime.prices: the model ${model} (${names.join(", ")}) has no price, so ${by ?? "max_cost_usd"} would not limit it; write \`"${model}": { in: 2, cached: 0.5, out: 8 }\` with its dollars per million tokens, or \`max_cost_usd: off\`.`,
      );
    else
      notices.push(
        `config: max_cost_usd does not limit the model ${model}, which has no price in runtime.prices; write its price, or max_cost_usd: off`,
      );
  }
  return { faults, notices };
}

/** Returns the names, as providers know them, of all models that an agent of the role may have in some runtime. */
function modelsFor(role: Role, roles: Roles, parsed: ConfigFile): readonly string[] {
  const names = [runtimeOfRole(role, parsed), ...runtimeNames({ ...parsed, roles })];
  const written = [...new Set(names)].flatMap((name) => allowedModels(roleIn(role, name, parsed), parsed));
  return [...new Set(written.map((model) => namedModel(model, parsed).model))];
}

/** Returns whether a cost limit applies to the role, including the default. */
function isLimited(parsed: ConfigFile, role: string): boolean {
  const { limits, repositoryPerDay, budgets } = parsed;
  const { maxCostUsd } = { ...limits.defaults, ...limits.roles.get(role) };
  return (
    maxCostUsd !== undefined ||
    repositoryPerDay.maxCostUsd !== undefined ||
    budgetsInForce(budgets).length > 0
  );
}

function roleLimits(parsed: ConfigFile, document: unknown, roles: Roles): readonly Written[] {
  const breakers = ["circuit_breakers"];
  const byDefault = valueAt(document, [...breakers, "defaults", "max_cost_usd"]);
  return [...roles.values()].flatMap((role): readonly Written[] => {
    const own = valueAt(document, [...breakers, "roles", role.name, "max_cost_usd"]);
    if (typeof own === "number")
      return [{ path: `circuit_breakers.roles.${role.name}.max_cost_usd`, roles: [role.name] }];
    if (role.limits.maxCostUsd !== undefined)
      return [{ path: `max_cost_usd of its role file`, roles: [role.name] }];
    const off = own === "off" || parsed.limits.defaults.maxCostUsd === undefined;
    return typeof byDefault === "number" && !off
      ? [{ path: "circuit_breakers.defaults.max_cost_usd", roles: [role.name] }]
      : [];
  });
}

/** The limits that all roles share. */
const SHARED = [
  ["repository_per_day", "max_cost_usd"],
  ["budgets", "repository_per_month"],
  ["budgets", "installation_per_day"],
  ["budgets", "installation_per_month"],
].map((path) => ["circuit_breakers", ...path]);

function sharedLimits(document: unknown, roles: Roles): readonly Written[] {
  return SHARED.filter((path) => typeof valueAt(document, path) === "number").map((path) => ({
    path: path.join("."),
    roles: [...roles.keys()],
  }));
}
