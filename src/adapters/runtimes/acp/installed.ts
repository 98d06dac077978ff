import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Preset } from "./preset.ts";

const packageFile = z.object({ version: z.string() });

/** The directory of an installed agent, whose `node_modules` holds it. */
export function agentDirectory(dataDir: string, preset: string): string {
  return join(dataDir, "runtimes", preset);
}

/** Returns the version of the preset's package below the directory; null where there is none. */
export function installedVersion({ package: wanted }: Preset, directory: string): string | null {
  if (wanted === null) return null;
  try {
    const text = readFileSync(join(directory, "node_modules", wanted.name, "package.json"), "utf8");
    return packageFile.parse(JSON.parse(text)).version;
  } catch {
    return null;
  }
}
