import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { bundledFile } from "../domain/settings/bundled-file.ts";
import { SHIPPED_ROLES } from "../domain/settings/config-schema.ts";

/**
 * Absolute path of the directory that `agents_dir` means, seen from `cwd`: who installed Flotilla as a package and wrote
 * no roles of their own has no such directory, and gets those that come with it.
 */
export function roleDirectory(cwd: string, agentsDir: string): string {
  const named = resolve(cwd, agentsDir);
  if (agentsDir !== SHIPPED_ROLES || existsSync(named)) return named;
  return fileURLToPath(bundledFile(`../../${SHIPPED_ROLES}`, import.meta.url));
}
