import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { defaultSettings } from "../config/default-settings.ts";
import { readSettings } from "../config/read-settings.ts";
import { readRepositoryFileAt } from "../config/repository/from-disk.ts";
import { settingsFor } from "../core/settings-for.ts";
import { TOOL_NAMES } from "../tools/catalog.ts";
import type { CommandContext } from "./command.ts";

/**
 * `check --file`: a repository's own file against this configuration, or against the defaults where there is none: a
 * maintainer does not have the operator's. Asks nobody.
 */
export function checkRepositoryFile(
  { env, cwd, print, options }: CommandContext,
  { config, file }: { readonly config: string; readonly file: string },
): number {
  const path = resolve(cwd, file);
  const configured = existsSync(config);
  const against = configured ? config : "the defaults";
  const base = configured
    ? readSettings({ path: config, cwd, variables: env, knownTools: TOOL_NAMES })
    : { settings: defaultSettings(cwd, TOOL_NAMES), faults: [], notices: [] };
  const read = base.settings && readRepositoryFileAt(path, base.settings);
  const faults = [...base.faults, ...(read?.faults ?? [])];
  const notices = [...base.notices, ...(read?.notices ?? [])];
  const merged = read?.override && base.settings && settingsFor(base.settings, read.override);
  const roles = [...(merged?.roles.keys() ?? [])];
  if (options["json"] === true) {
    print(JSON.stringify({ path, against, ok: faults.length === 0, faults, notices, roles }));
  } else {
    for (const fault of faults) print(`fault: ${fault}`);
    for (const notice of notices) print(`notice: ${notice}`);
    print(
      faults.length === 0
        ? `${path} is in order, checked against ${against}. Roles there: ${roles.join(", ")}.`
        : `${faults.length} to put right, checked against ${against}.`,
    );
  }
  return faults.length === 0 ? 0 : 1;
}
