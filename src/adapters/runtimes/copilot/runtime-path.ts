import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { RuntimeError } from "../../../domain/kernel/errors.ts";

/**
 * Returns the absolute path of the runtime's executable, in the platform package that npm installed beside
 * the SDK.
 */
export function findRuntime(
  platform: NodeJS.Platform = process.platform,
  arch: string = process.arch,
): string {
  const require = createRequire(createRequire(import.meta.url).resolve("@github/copilot-sdk"));
  const names = [`${platform}-${arch}`, ...(platform === "linux" ? [`linuxmusl-${arch}`] : [])];
  for (const name of names) {
    const root = packageRoot(require, `@github/copilot-sdk-${name}`);
    const path = root && join(root, "prebuilds", name, "copilot-runtime");
    if (path && existsSync(path)) return path;
  }
  throw new RuntimeError("runtime_missing", `no Copilot runtime is installed for ${platform} ${arch}`, {
    consequence: "tell",
    advice:
      "Run `npm install` again without --omit=optional: the runtime comes in an optional platform package.",
  });
}

/**
 * Returns the directory of the executable's platform package, from which the runtime reads other files too.
 */
export function packageOf(runtime: string): string {
  return dirname(dirname(dirname(runtime)));
}

function packageRoot(require: NodeJS.Require, name: string): string | undefined {
  try {
    return dirname(require.resolve(`${name}/package.json`));
  } catch {
    return undefined;
  }
}
