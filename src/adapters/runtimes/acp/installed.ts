import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { bundledFile } from "../../../domain/settings/bundled-file.ts";
import type { Preset } from "./preset.ts";

/** What is shown to people comes from the package: it is no longer than a version, and nothing else. */
const packageFile = z.object({
  version: z
    .string()
    .max(100)
    .regex(/^\d+\.\d+\.\d+[-+.0-9A-Za-z]*$/),
});

/** The program's own directory: an image has its agents beside the program. */
const IMAGE = fileURLToPath(bundledFile("../../../..", import.meta.url));

/**
 * Returns the directory of an installed agent, whose `node_modules` holds it: in the data directory, unless the image of
 * the container has the agent. `image` is the program's own directory.
 */
export function agentDirectory(dataDir: string, preset: string, image = IMAGE): string {
  const own = join(image, "runtimes", preset);
  return existsSync(own) ? own : join(dataDir, "runtimes", preset);
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
