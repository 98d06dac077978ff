import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { bundledFile } from "../domain/settings/bundled-file.ts";
import { SHIPPED_ROLES } from "../domain/settings/config-schema.ts";

/**
 * Returns the absolute path of the directory that `agents_dir` names, resolved against `cwd`. Without one, as
 * after an installation as a package, returns the bundled roles' directory.
 */
export function roleDirectory(cwd: string, agentsDir: string): string {
  const named = resolve(cwd, agentsDir);
  if (agentsDir !== SHIPPED_ROLES || existsSync(named)) return named;
  return fileURLToPath(bundledFile(`../../${SHIPPED_ROLES}`, import.meta.url));
}
