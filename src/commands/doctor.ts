import { loadConfig } from "../config/load-config.ts";
import { createGitHub } from "../github/create-github.ts";
import { TOOL_NAMES } from "../tools/catalog.ts";
import type { Command } from "./command.ts";
import { reading } from "./data-directory.ts";
import { diagnose } from "./diagnose.ts";
import { createLog } from "./log.ts";
import { serverUrls } from "./server-urls.ts";
import { systemClock } from "./system-clock.ts";

export const doctor: Command = {
  name: "doctor",
  summary: "look for what is wrong or not supported: configuration, database, GitHub, each repository",
  usage: "flotilla doctor [--json]",
  details: [
    "Reads the configuration as serve does, the rules of the lifecycles in the database, whether GitHub takes the App, and",
    "for each known repository what agents cannot do there: signed commits, Git LFS, submodules. Changes nothing.",
  ],
  options: { json: { type: "boolean" } },
  async run(context) {
    const { env, cwd, print, options } = context;
    const { config, notices } = loadConfig({ env, cwd, knownTools: TOOL_NAMES });
    const { environment, secrets } = config;
    const github = createGitHub({
      appId: environment.appId,
      privateKey: secrets.privateKey,
      baseUrl: serverUrls(environment).apiUrl,
      // Nothing is written, so nothing is marked.
      markerSecret: "",
      labels: config.labels,
      clock: systemClock,
      log: createLog("error"),
    });
    const found = await reading(context, (store) => diagnose(store, github, systemClock.now()));
    const findings = [
      ...notices.map((what) => ({ about: "configuration", what, next: "leave the key out, or wait for it" })),
      ...found,
    ];
    if (options["json"] === true) print(JSON.stringify({ ok: findings.length === 0, findings }));
    else if (findings.length === 0) print("Nothing is wrong, and nothing asks for what is not supported.");
    else for (const { about, what, next } of findings) print(`${about}: ${what}. ${next}.`);
    return findings.length === 0 ? 0 : 1;
  },
};
