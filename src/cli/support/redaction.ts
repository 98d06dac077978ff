import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { loadConfig } from "../../config/load-config.ts";
import { type Redact, redactor } from "../../domain/access/redact.ts";
import { StartupRefused } from "../../domain/kernel/errors.ts";
import { environmentRedactor } from "../../server/environment-redactor.ts";
import { configuredSecrets } from "../../server/known-secrets.ts";
import type { CommandContext } from "../command.ts";
import { databaseOf, dataDirectory } from "../data-directory.ts";
import { DECLARED } from "../declared.ts";

/** Our own secrets in the data directory. */
const OUR_FILES = ["dashboard-token", "marker-secret"];

/**
 * Removes every known secret, even where the configuration cannot be read, and everything that looks like a
 * token.
 */
export async function bundleRedaction(context: Pick<CommandContext, "env" | "cwd">): Promise<Redact> {
  const dataDir = dataDirectory(context);
  const ours = OUR_FILES.map((name) => join(dataDir, name)).filter((path) => existsSync(path));
  const inFiles = ours.map((path) => readFileSync(path, "utf8").trim());
  const secrets = [...configured(context), ...inFiles, await keptMarker(context)];
  const known = redactor(secrets.filter((one) => one !== undefined));
  const named = environmentRedactor(context.env, context.cwd);
  return (text) => named(known(text));
}

/** Returns the secret of the marks in the database; undefined where there is none, or none that can be read. */
async function keptMarker(context: Pick<CommandContext, "env" | "cwd">): Promise<string | undefined> {
  try {
    const database = databaseOf(context);
    const [file] = database.files;
    // Opening a pipe would never end.
    if (file !== undefined && !statSync(file).isFile()) return undefined;
    const store = await database.openReadOnly();
    try {
      return await store.keptSecrets.get("marker");
    } finally {
      await store.close();
    }
  } catch {
    // The bundle itself says what is wrong with the database. An older one has its secret in the file.
    return undefined;
  }
}

function configured({ env, cwd }: Pick<CommandContext, "env" | "cwd">): readonly (string | undefined)[] {
  try {
    return configuredSecrets(loadConfig({ env, cwd, ...DECLARED }).config);
  } catch (error) {
    if (error instanceof StartupRefused) return [];
    throw error;
  }
}
