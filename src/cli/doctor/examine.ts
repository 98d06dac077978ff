import { DEFAULT_RUNTIME } from "../../adapters/runtimes/registry.ts";
import { dataDirectoryHolderPid } from "../../adapters/store/data-directory-lock.ts";
import type { Config } from "../../config/load-config.ts";
import { StartupRefused } from "../../domain/kernel/errors.ts";
import { BUILT_IN_RUNTIME } from "../../domain/settings/runtime-section.ts";
import { runtimeNames } from "../../domain/settings/runtime-use.ts";
import { type LimitsSeen, seeLimits } from "../../server/agent-groups.ts";
import { type AgentProgram, agentPrograms } from "../../server/agent-programs.ts";
import { shownToAgents } from "../../server/make-runner.ts";
import type { Finding } from "../../server/start-checks/finding.ts";
import { isInstalled, runtimeFindings } from "../../server/start-checks/runtime.ts";
import { systemClock } from "../../server/system-clock.ts";
import { checkBeforeStart } from "../checked-config.ts";
import type { CommandContext } from "../command.ts";
import { databaseOf, dataDirectory, reading } from "../data-directory.ts";
import type { Progress } from "../progress.ts";
import { readingGitHub } from "../reading-github.ts";
import { builtInTrial } from "../runtimes/built-in.ts";
import { creates, scriptedTurn, type Trial } from "../runtimes/scripted-turn.ts";
import { trialRunner } from "../runtimes/trial-runner.ts";
import { tryNamed } from "../try-named.ts";
import type { DoctorStore } from "./check.ts";
import { databaseFaults } from "./check-database.ts";
import { findingsOfTurns, triedBuiltIn, triedProgram } from "./check-runtimes.ts";
import { type Looked, look } from "./checks.ts";

interface Examination {
  /** The findings; faults that prevent a start come first. */
  readonly findings: readonly Finding[];
  /**
   * Paths of this machine that agents see in addition to the system's own; none if nothing confines agents.
   */
  readonly shown: readonly string[];
  /** Whether agents are limited together, and why not; null where the configuration is faulty or no agents run. */
  readonly limits: LimitsSeen | null;
  /** What agents of each configured runtime cannot do, in sentences. */
  readonly cannot: readonly { readonly runtime: string; readonly says: readonly string[] }[];
  /** What was looked at and is in order. */
  readonly inOrder: readonly string[];
  /** False if a faulty configuration prevented checks of the database and of GitHub. */
  readonly whole: boolean;
}

type Context = Omit<CommandContext, "print" | "complain">;

/** Examines this machine, the configuration, the database and GitHub. */
export async function examine(context: Context, progress: Progress): Promise<Examination> {
  const { loaded, faults, advice } = await checkBeforeStart(context);
  if (loaded instanceof StartupRefused) {
    const refused = loaded.faults.map((what) => ({ about: "configuration", what, next: "" }));
    return {
      findings: [...faults, ...advice, ...refused],
      shown: [],
      limits: null,
      cannot: [],
      inOrder: inOrder(atStart(context, [...faults, ...advice])),
      whole: false,
    };
  }
  const { config, notices } = loaded;
  progress.show("the model provider and GitHub are asked");
  // Without a sandbox no check runs a program; the fault about the sandbox is reported instead.
  const mayRun = context.options["run"] === true && !faults.some(({ about }) => about === "sandbox");
  const looked = await beyondStart(context, config, mayRun ? progress : null);
  const found = looked.flatMap(({ findings }) => findings);
  const isRunner = config.environment.roles.has("runner");
  const programs = isRunner ? programsHere(context, config) : [];
  const isSafe = !faults.some(({ about }) => about === "sandbox");
  const tried = isRunner && isSafe ? await tryRuntimes(context, config, { programs, progress }) : [];
  // The checks of a start and those of the database look at the same file.
  const isNew = ({ about, what }: Finding) =>
    !faults.some((fault) => fault.about === about && fault.what === what);
  return {
    findings: [...faults, ...advice, ...notices.map(notYet), ...found.filter(isNew), ...tried],
    cannot: programs.flatMap(({ name, preset: { cannot } }) =>
      cannot.length === 0 ? [] : [{ runtime: name, says: cannot }],
    ),
    shown: shownToAgents(config, context.env),
    limits: config.environment.roles.has("runner")
      ? seeLimits(dataDirectoryHolderPid(dataDirectory(context)), config.sandbox)
      : null,
    inOrder: inOrder([
      ...atStart(context, [...faults, ...advice]),
      { what: "the configuration and its role files", findings: notices.map(notYet), isUnseen: false },
      ...looked,
    ]),
    whole: true,
  };
}

/** Returns what the checks of a start look at on each machine. */
function atStart(context: Context, findings: readonly Finding[]): readonly Looked[] {
  const dataDir = dataDirectory(context);
  const about = (what: string, is: (about: string) => boolean): Looked => ({
    what,
    findings: findings.filter((finding) => is(finding.about)),
    isUnseen: false,
  });
  return [
    about("git", (one) => one === "git"),
    about("the data directory and its disk", (one) => one.startsWith(dataDir)),
  ];
}

function inOrder(looked: readonly Looked[]): readonly string[] {
  return looked
    .filter(({ findings, isUnseen }) => findings.length === 0 && !isUnseen)
    .map(({ what }) => what);
}

function programsHere(context: Context, config: Config): readonly AgentProgram[] {
  const { env, cwd } = context;
  return agentPrograms(config, { dataDir: dataDirectory(context), cwd, path: env["PATH"] ?? "" });
}

/** Has each installed runtime do a turn, confined as agents are, and returns what is wrong with it. */
function tryRuntimes(
  { env }: Context,
  config: Config,
  { programs, progress }: { readonly programs: readonly AgentProgram[]; readonly progress: Progress },
): Promise<readonly Finding[]> {
  const runner = trialRunner(config.sandbox, env);
  if (runner === null) return Promise.resolve([]);
  const turn = (title: string, trial: Pick<Trial, "create" | "api">) => () => {
    progress.show(`${title} is tried`);
    return scriptedTurn({ ...trial, runner, env });
  };
  const { faults, advice } = runtimeFindings(config);
  const isBuiltIn =
    runtimeNames(config).includes(BUILT_IN_RUNTIME) && faults.length === 0 && advice.length === 0;
  return findingsOfTurns([
    ...(isBuiltIn ? [triedBuiltIn(turn(DEFAULT_RUNTIME.title, builtInTrial(config.runtime.provider)))] : []),
    ...programs
      .filter(isInstalled)
      .map((program) =>
        triedProgram(
          program,
          turn(program.preset.title, { create: creates(program), api: program.preset.api }),
        ),
      ),
  ]);
}

function notYet(what: string): Finding {
  return { about: "configuration", what, next: "Correct it where that is not meant" };
}

/**
 * Runs the checks that need a configuration: GitHub, the database if it exists, and with `running` what
 * commands do.
 */
async function beyondStart(
  context: Context,
  config: Config,
  running: Progress | null,
): Promise<readonly Looked[]> {
  const { github, log, redact } = readingGitHub(context, config);
  const dataDir = dataDirectory(context);
  const database = databaseOf(context);
  const { roles } = config.environment;
  const hasStore = await database.exists();
  const damage = hasStore ? await databaseFaults(database) : [];
  const examined = { config, dataDir, damage, github, now: systemClock.now() };
  const found =
    hasStore && damage.length === 0
      ? await reading(context, (store) => look({ ...examined, hasStore: true, store }, roles))
      : await look({ ...examined, hasStore: false, store: NO_STORE }, roles);
  const tried =
    running === null || damage.length > 0 || config.secrets.privateKey === undefined
      ? []
      : [
          {
            what: "setup and acceptance commands",
            findings: await tryNamed(context, { config, github, log, redact }, running),
            isUnseen: false,
          },
        ];
  return [...found, ...tried];
}

const none = { all: async () => [] };
const NO_STORE: DoctorStore = {
  repositories: none,
  repositoryFiles: none,
  checkInvariants: async () => [],
};
