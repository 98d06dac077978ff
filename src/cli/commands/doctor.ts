import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../config/load-config.ts";
import { StartupRefused } from "../../domain/kernel/errors.ts";
import { isUserRoot, ROOT_IS_UNSAFE, shownToAgents } from "../../server/make-runner.ts";
import { type Finding, sentence } from "../../server/start-checks/finding.ts";
import { systemClock } from "../../server/system-clock.ts";
import { checkBeforeStart } from "../checked-config.ts";
import type { Command, CommandContext } from "../command.ts";
import { dataDirectory, reading } from "../data-directory.ts";
import { checkCollector } from "../doctor/check-collector.ts";
import { databaseFaults } from "../doctor/check-database.ts";
import { checkListenAddress } from "../doctor/check-listen-address.ts";
import { checkProvider } from "../doctor/check-provider.ts";
import { type Progress, working } from "../progress.ts";
import { readingGitHub } from "../reading-github.ts";
import { tryNamed } from "../try-named.ts";
import { diagnose } from "./diagnose.ts";

export const doctor: Command = {
  name: "doctor",
  summary:
    "find what is wrong or not supported: this machine, configuration, database, GitHub, each repository",
  usage: "flotilla doctor [--run [owner/name …]]",
  details: [
    "Makes the checks that serve makes before it starts, and more: whether the database obeys the rules of the lifecycles, whether GitHub accepts the App, whether the App's permissions, events and webhook match app.yml, and for each known repository the faults of its own file and what agents cannot do there: signed commits, Git LFS, submodules.",
    "It also checks that the last webhooks arrived, that the model provider accepts the key and has the models, that the address to listen on is free, and that the database is intact. Each line says what is wrong, why it matters and what to do. It changes nothing; the exit code is 1 when it finds something.",
    "With --run it also runs the setup and acceptance commands once, in a clean checkout of the default branch of each known repository, or of those that you name (any where the App is installed). The commands come from the repository's own file if it has some, and run in the same sandbox as an agent. It says which fail, and which tool or host they lack.",
  ],
  options: {
    run: { type: "boolean", says: "run setup and acceptance commands once in each repository" },
  },
  examples: [
    "flotilla doctor",
    "flotilla doctor --run acme/shop",
    "flotilla doctor --json | jq '.findings[].what'",
  ],
  async run(context) {
    const { print, options } = context;
    const { findings, shown, whole } = await working("this machine is looked at", (progress) =>
      examination(context, progress),
    );
    if (options["json"] === true) print(JSON.stringify({ ok: findings.length === 0, findings, shown }));
    else if (findings.length === 0) print("Nothing is wrong, and nothing asks for what is not supported.");
    else
      for (const finding of findings)
        print(sentence(finding), { style: "yellow", length: finding.about.length });
    if (options["json"] !== true && !whole) print(NOT_WHOLE);
    if (options["json"] !== true && shown.length > 0)
      print(`Agents see of this machine, beside the system's own: ${shown.join(", ")}.`);
    if (options["json"] !== true && isUserRoot())
      print(`You run this as root. If Flotilla serves as root too: ${ROOT_IS_UNSAFE}.`);
    return findings.length === 0 ? 0 : 1;
  },
};

interface Examination {
  /** The faults that hold a start back first. */
  readonly findings: readonly Finding[];
  /** Paths of this machine that agents see beside the system's own; none where nothing confines them. */
  readonly shown: readonly string[];
  /** False where a faulty configuration kept it from the database and from GitHub. */
  readonly whole: boolean;
}

/** Examines this machine, the configuration, the database and GitHub. */
export async function examination(
  context: Omit<CommandContext, "print" | "complain">,
  progress: Progress,
): Promise<Examination> {
  const { loaded, faults, advice } = await checkBeforeStart(context);
  if (loaded instanceof StartupRefused) {
    const refused = loaded.faults.map((what) => ({ about: "configuration", what, next: "" }));
    return { findings: [...faults, ...advice, ...refused], shown: [], whole: false };
  }
  const { config, notices } = loaded;
  progress.show("the model provider and GitHub are asked");
  // Where there is no sandbox to run in, that is what is told.
  const mayRun = context.options["run"] === true && !faults.some(({ about }) => about === "sandbox");
  const found = await beyond(context, config, mayRun ? progress : null);
  return {
    findings: [...faults, ...advice, ...notices.map(notYet), ...found],
    shown: shownToAgents(config, context.env),
    whole: true,
  };
}

const NOT_WHOLE =
  "The database, GitHub and the repositories were not looked at: run `flotilla doctor` again once the configuration is right.";

function notYet(what: string): Finding {
  return { about: "configuration", what, next: "Change the key where that is not meant" };
}

/** What can be seen only with a configuration: GitHub, the database where there is one, and with `running` what commands do. */
async function beyond(
  context: Omit<CommandContext, "print" | "complain">,
  config: Config,
  running: Progress | null,
): Promise<readonly Finding[]> {
  const { environment, secrets } = config;
  const { github, log, redact } = readingGitHub(context, config);
  const now = systemClock.now();
  const dataDir = dataDirectory(context);
  const path = join(dataDir, "flotilla.db");
  const hasStore = existsSync(path);
  const damaged = hasStore ? databaseFaults(path) : [];
  const { roles } = config;
  const models = [...roles.values()].map(({ model }) => model ?? config.runtime.model);
  const { provider, collector } = secrets;
  const inStore = (store: DoctorStore) =>
    diagnose(store, github, now, { patterns: config.repositories, settings: config, listens: environment });
  const looks = await Promise.all([
    checkListenAddress({ dataDir, host: environment.host, port: environment.port }),
    provider === undefined ? [] : checkProvider(provider, models),
    collector === undefined ? [] : checkCollector(collector),
    hasStore && damaged.length === 0 ? reading(context, inStore) : inStore(NO_STORE),
  ]);
  const tried =
    running === null || damaged.length > 0
      ? []
      : await tryNamed(context, { config, github, log, redact }, running);
  return [...damaged, ...looks.flat(), ...tried];
}

type DoctorStore = Parameters<typeof diagnose>[0];
const none = { all: async () => [] };
const NO_STORE: DoctorStore = {
  repositories: none,
  repositoryFiles: none,
  checkInvariants: async () => [],
};
