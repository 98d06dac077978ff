import { readFileSync } from "node:fs";
import { z } from "zod";
import { bundledFile } from "../../../../domain/settings/bundled-file.ts";

const lockFile = z.looseObject({
  packages: z.record(
    z.string(),
    z.looseObject({ optionalDependencies: z.record(z.string(), z.unknown()).optional() }),
  ),
});

/** A machine, as Node's `process` names it. */
export interface Platform {
  readonly platform: string;
  readonly arch: string;
}

/**
 * Returns the lock file of the packages with which the preset was tried, each with its hash; null where there is none, or
 * where it has no program for this kind of machine.
 */
export function lockOf(preset: string, machine: Platform = process): string | null {
  const text = textOf(preset);
  return text !== null && hasProgramFor(text, machine) ? text : null;
}

function textOf(preset: string): string | null {
  try {
    return readFileSync(bundledFile(`locks/${preset}.json`, import.meta.url), "utf8");
  } catch {
    return null;
  }
}

/** npm leaves out of a lock file what it did not find, such as the packages of other machines. */
function hasProgramFor(text: string, { platform, arch }: Platform): boolean {
  const { packages } = lockFile.parse(JSON.parse(text));
  const kind = new RegExp(`-${platform}-${arch}(?:-|$)`);
  return Object.values(packages).every(({ optionalDependencies = {} }) => {
    const named = Object.keys(optionalDependencies).filter((name) => kind.test(name));
    return named.length === 0 || named.some((name) => Object.hasOwn(packages, `node_modules/${name}`));
  });
}
