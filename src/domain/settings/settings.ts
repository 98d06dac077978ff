import { matchesRepository } from "../access/level-of.ts";
import type { Roles } from "../agents/role.ts";
import type { ConfigFile } from "./config-schema.ts";

/**
 * The configuration for the engine, the intake and the tools; no secrets. Durations in milliseconds. Frozen when read
 * by `src/config`.
 */
export interface Settings extends Omit<ConfigFile, "agentsDir" | "roles" | "telemetry"> {
  readonly roles: Roles;
}

/** Returns the settings for a valid configuration file with its roles. */
export function settingsOf(file: ConfigFile, roles: Roles): Settings {
  const { agentsDir: _, telemetry: __, ...settings } = file;
  return { ...settings, roles };
}

/** Returns true when a pattern of the allow-list matches `owner/name`. */
export function allowsRepository(settings: Pick<Settings, "repositories">, fullName: string): boolean {
  return settings.repositories.some((pattern) => matchesRepository(pattern, fullName));
}
