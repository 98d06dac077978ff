import { configSchema, SHIPPED_ROLES } from "../domain/settings/config-schema.ts";
import { type Settings, settingsOf } from "../domain/settings/settings.ts";
import { roleDirectory } from "./role-directory.ts";
import { readRoles } from "./roles.ts";

/** Returns the settings without any configuration, with the bundled roles. `cwd` is absolute. */
export function defaultSettings(cwd: string, knownTools: readonly string[]): Settings {
  const file = configSchema.parse({});
  const { roles } = readRoles(file.roles, {
    directory: roleDirectory(cwd, SHIPPED_ROLES),
    directoryWritten: SHIPPED_ROLES,
    file: "the defaults",
    knownTools,
    mcpServers: new Map(),
  });
  return settingsOf(file, roles);
}
