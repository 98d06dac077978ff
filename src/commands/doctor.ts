import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config/load-config.ts";
import { StartupRefused } from "../core/errors.ts";
import { createGitHub } from "../github/create-github.ts";
import { readSpent } from "../github/spent.ts";
import { lookBeforeStart } from "./checked-config.ts";
import type { Command, CommandContext } from "./command.ts";
import { dataDirectory, reading } from "./data-directory.ts";
import { diagnose } from "./diagnose.ts";
import { configuredSecrets, KnownSecrets } from "./known-secrets.ts";
import { createLog } from "./log.ts";
import { serverUrls } from "./server-urls.ts";
import { type Finding, sentence } from "./start-checks/finding.ts";
import { systemClock } from "./system-clock.ts";

export const doctor: Command = {
  name: "doctor",
  summary:
    "look for what is wrong or not supported: this machine, configuration, database, GitHub, each repository",
  usage: "flotilla doctor",
  details: [
    "Makes the checks that serve makes before it starts, and more: the rules of the lifecycles in the database, whether GitHub takes the App, whether its permissions, events and webhook are as app.yml says, and for each known repository what agents cannot do there: signed commits, Git LFS, submodules. Changes nothing; exit code 1 when something is found.",
  ],
  options: {},
  examples: ["flotilla doctor", "flotilla doctor --json | jq '.findings[].what'"],
  async run(context) {
    const { print, options } = context;
    const { loaded, faults, advice } = await lookBeforeStart(context);
    const more =
      loaded instanceof StartupRefused
        ? loaded.faults.map((what) => ({ about: "configuration", what, next: THEN_AGAIN }))
        : [...loaded.notices.map(notYet), ...(await beyond(context, loaded.config))];
    const findings: readonly Finding[] = [...faults, ...advice, ...more];
    if (options["json"] === true) print(JSON.stringify({ ok: findings.length === 0, findings }));
    else if (findings.length === 0) print("Nothing is wrong, and nothing asks for what is not supported.");
    else for (const finding of findings) print(sentence(finding));
    return findings.length === 0 ? 0 : 1;
  },
};

const THEN_AGAIN = "GitHub and the repositories are looked at once this is right";

function notYet(what: string): Finding {
  return { about: "configuration", what, next: "Change the key where that is not meant" };
}

/** What can be seen only with a configuration: GitHub, and the database where there is one. */
async function beyond(context: CommandContext, config: Config): Promise<readonly Finding[]> {
  const { environment, secrets } = config;
  const known = new KnownSecrets(configuredSecrets(config), systemClock);
  const github = createGitHub({
    appId: environment.appId,
    privateKey: secrets.privateKey,
    baseUrl: serverUrls(environment).apiUrl,
    // Nothing is written, so nothing is marked.
    markerSecret: "",
    labels: config.labels,
    clock: systemClock,
    log: createLog("error", known.redact),
    minted: known.minted,
    // The serving process keeps the file; where it was told to keep still, nothing is asked here either.
    spent: {
      before: readSpent(join(dataDirectory(context), "github-spent"), systemClock.now()),
      add: () => {},
    },
  });
  const now = systemClock.now();
  if (existsSync(join(dataDirectory(context), "flotilla.db")))
    return reading(context, (store) => diagnose(store, github, now));
  const empty = { repositories: { all: async () => [] }, checkInvariants: async () => [] };
  return diagnose(empty, github, now);
}
