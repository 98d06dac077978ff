import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadConfig } from "../../config/load-config.ts";
import { type Redact, redactor } from "../../domain/access/redact.ts";
import { StartupRefused } from "../../domain/kernel/errors.ts";
import { environmentRedactor } from "../../server/environment-redactor.ts";
import { configuredSecrets } from "../../server/known-secrets.ts";
import type { CommandContext } from "../command.ts";
import { dataDirectory } from "../data-directory.ts";
import { DECLARED } from "../declared.ts";

/** Our own secrets in the data directory. */
const OUR_FILES = ["dashboard-token", "marker-secret"];

/**
 * Removes every known secret, even where the configuration cannot be read, and everything that looks like a
 * token.
 */
export function bundleRedaction(context: Pick<CommandContext, "env" | "cwd">): Redact {
  const dataDir = dataDirectory(context);
  const ours = OUR_FILES.map((name) => join(dataDir, name)).filter((path) => existsSync(path));
  const secrets = [...configured(context), ...ours.map((path) => readFileSync(path, "utf8").trim())];
  const known = redactor(secrets.filter((one) => one !== undefined));
  const named = environmentRedactor(context.env, context.cwd);
  return (text) => named(known(text));
}

function configured({ env, cwd }: Pick<CommandContext, "env" | "cwd">): readonly (string | undefined)[] {
  try {
    return configuredSecrets(loadConfig({ env, cwd, ...DECLARED }).config);
  } catch (error) {
    if (error instanceof StartupRefused) return [];
    throw error;
  }
}
