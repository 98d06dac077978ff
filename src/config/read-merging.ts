import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { type LevelSettings, mergesItself } from "../domain/access/level-of.ts";
import { configSchema } from "../domain/settings/config-schema.ts";
import type { Variables } from "./environment.ts";
import { readYaml } from "./yaml-text.ts";

type Merging = LevelSettings & { readonly merge: { readonly auto: boolean } };

/**
 * Returns whether Flotilla merges approved work of a repository by itself, by the configuration file alone: commands that
 * only read need neither its secrets nor its role files. False where the file cannot be read.
 */
export function readMerging(context: {
  readonly env: Variables;
  readonly cwd: string;
}): (repository: string) => boolean {
  const settings = mergingIn(resolve(context.cwd, context.env["FLOTILLA_CONFIG"] || "config.yaml"));
  return (repository) => settings !== undefined && mergesItself(settings, repository);
}

function mergingIn(path: string): Merging | undefined {
  try {
    const { document } = readYaml(readFileSync(path, "utf8"), path);
    return configSchema.safeParse(document).data;
  } catch {
    return undefined;
  }
}
