import type { Settings } from "../domain/settings/settings.ts";
import { roleDirectory, SHIPPED_ROLES } from "./role-directory.ts";
import { readRoles } from "./roles.ts";
import { configSchema } from "./schema.ts";
import { settingsOf } from "./settings-of.ts";

/** What holds where nothing is configured, with the roles that come with Flotilla. `cwd` is absolute. */
export function defaultSettings(cwd: string, knownTools: readonly string[]): Settings {
  const file = configSchema.parse({});
  const { roles } = readRoles(file.roles, {
    directory: roleDirectory(cwd, SHIPPED_ROLES),
    directoryWritten: SHIPPED_ROLES,
    file: "the defaults",
    knownTools,
  });
  return settingsOf(file, roles);
}
