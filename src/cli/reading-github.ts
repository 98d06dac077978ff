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

/** GitHub for a command that only looks, beside a serving process or without one: no write leaves. */
export function readingGitHub(context: Pick<CommandContext, "env" | "cwd">, config: Config) {
  const { environment, secrets } = config;
  const known = new KnownSecrets(configuredSecrets(config), systemClock);
  const log = createLog("error", known.redact);
  const github = createGitHub({
    appId: environment.appId,
    privateKey: secrets.privateKey,
    baseUrl: serverUrls(environment).apiUrl,
    // Nothing is written, so nothing is marked.
    markerSecret: "",
    level: () => "observe",
    labels: config.labels,
    clock: systemClock,
    log,
    minted: known.minted,
    // The serving process keeps the file; where it was told to keep still, nothing is asked here either.
    spent: {
      before: readSpent(join(dataDirectory(context), "github-spent"), systemClock.now()),
      add: () => {},
    },
  });
  return { github, log, redact: known.redact };
}
