import { join } from "node:path";
import type { Config } from "../config/load-config.ts";
import { createGitHub } from "../github/create-github.ts";
import { readSpent } from "../github/spent.ts";
import type { CommandContext } from "./command.ts";
import { dataDirectory } from "./data-directory.ts";
import { configuredSecrets, KnownSecrets } from "./known-secrets.ts";
import { createLog } from "./log.ts";
import { serverUrls } from "./server-urls.ts";
import { systemClock } from "./system-clock.ts";

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
