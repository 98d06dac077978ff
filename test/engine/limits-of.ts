import type { LimitOverrides } from "../../src/domain/breakers/limits.ts";
import type { Settings } from "../../src/domain/settings/settings.ts";
import { LIMITS } from "../factories/some-settings.ts";

/** Settings with these limits for all roles, and others by a role's name. */
export function limitsOf(
  defaults: LimitOverrides,
  roles: Readonly<Record<string, LimitOverrides>> = {},
): Pick<Settings, "limits"> {
  return {
    limits: { turnCeiling: 200, defaults: { ...LIMITS, ...defaults }, roles: new Map(Object.entries(roles)) },
  };
}
