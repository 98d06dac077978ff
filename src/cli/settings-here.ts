import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { defaultSettings } from "../config/default-settings.ts";
import { readSettings } from "../config/read-settings.ts";
import { StartupRefused } from "../domain/kernel/errors.ts";
import type { Settings } from "../domain/settings/settings.ts";
import { TOOL_NAMES } from "../engine/tools/catalog.ts";
import type { CommandContext } from "./command.ts";
import { DECLARED } from "./declared.ts";

/** Returns the settings of the configuration file, or the defaults where there is none. Throws `StartupRefused`. */
export function settingsHere({ env, cwd }: Pick<CommandContext, "env" | "cwd">): Settings {
  const path = resolve(cwd, env["FLOTILLA_CONFIG"] || "config.yaml");
  if (!existsSync(path)) return defaultSettings(cwd, TOOL_NAMES);
  const { settings, faults } = readSettings({ path, cwd, variables: env, ...DECLARED });
  if (settings === undefined) throw new StartupRefused([...faults]);
  return settings;
}
