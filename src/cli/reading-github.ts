import { join } from "node:path";
import { createGitHub } from "../adapters/github/api/create-github.ts";
import { readSpent } from "../adapters/github/client/spent.ts";
import type { Config } from "../config/load-config.ts";
import { createLog } from "../observability/log/log.ts";
import { configuredSecrets, KnownSecrets } from "../server/known-secrets.ts";
import { serverUrls } from "../server/server-urls.ts";
import { systemClock } from "../server/system-clock.ts";
import type { CommandContext } from "./command.ts";
import { dataDirectory } from "./data-directory.ts";

/**
 * Creates GitHub's port for a command that only reads, beside a serving process or without one; it refuses
 * every write.
 */
export function readingGitHub(context: Pick<CommandContext, "env" | "cwd">, config: Config) {
  const { environment, secrets } = config;
  const known = new KnownSecrets(configuredSecrets(config), systemClock);
  const log = createLog("error", known.redact);
  const github = createGitHub({
    appId: environment.appId,
    privateKey: secrets.privateKey,
    baseUrl: serverUrls(environment).apiUrl,
    // Nothing is written, so no marker is needed.
    markerSecret: "",
    level: () => "observe",
    labels: config.labels,
    clock: systemClock,
    log,
    minted: known.minted,
    // The serving process owns the file. This command only reads it, so it waits for the limits that the
    // process has met.
    spent: {
      before: readSpent(join(dataDirectory(context), "github-spent"), systemClock.now()),
      add: () => {},
    },
  });
  return { github, log, redact: known.redact };
}
