import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { findRuntime } from "./runtime-path.ts";

const packageFile = z.object({ version: z.string() });

/**
 * Returns the version of the package with the runtime's executable. Throws `RuntimeError` where none is
 * installed.
 */
export function runtimeVersion(executable: string = findRuntime()): string {
  // <package>/prebuilds/<platform>/copilot-runtime
  const root = dirname(dirname(dirname(executable)));
  return packageFile.parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8"))).version;
}
