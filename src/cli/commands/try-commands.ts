import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createWorktrees } from "../../adapters/git/worktree/create-worktrees.ts";
import { removeTree } from "../../adapters/git/worktree/remove-tree.ts";
import { NO_GROUPS } from "../../adapters/sandbox/groups/agent-groups.ts";
import type { Config } from "../../config/load-config.ts";
import { mayRunIn } from "../../domain/access/confinement.ts";
import type { Redact } from "../../domain/access/redact.ts";
import { type TriedCommand, triedFault } from "../../domain/commands/tried-command.ts";
import { messageOf, OutsideError } from "../../domain/kernel/errors.ts";
import type { RepositoryRef } from "../../domain/kernel/repository.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import type { GitHub } from "../../domain/ports/github.ts";
import type { RepositorySetup } from "../../domain/ports/github-app.ts";
import type { RepositoryFiles } from "../../domain/ports/github-changes.ts";
import type { Log } from "../../domain/ports/log.ts";
import type { CommandResult } from "../../domain/ports/runner.ts";
import { notReadyFault } from "../../domain/services/service-texts.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { makeIsolation, makeRunner, sandboxFindings } from "../../server/make-runner.ts";
import { serverUrls } from "../../server/server-urls.ts";
import { ShutdownStack } from "../../server/shutdown-stack.ts";
import type { Finding } from "../../server/start-checks/finding.ts";
import { systemClock } from "../../server/system-clock.ts";
import { type AsForAgent, type CommandPlace, runAsForAgent } from "../as-for-agent.ts";
import { settingsThere } from "../doctor/settings-there.ts";
import { printedText } from "../printed-text.ts";
import { makeTrialDirectory } from "./trial-directory.ts";

const READ_BYTES = 16_000;
/** Stands for the directory that a trial has to itself. */
const ELSEWHERE = "…";

/** The inputs of trying a repository's commands. */
export interface Trial {
  readonly config: Config;
  readonly github: Pick<GitHub, "gitToken" | "repository"> &
    Pick<RepositorySetup, "installedAt"> &
    RepositoryFiles;
  readonly log: Log;
  readonly redact: Redact;
  /** Called with each command as it begins. Rejects where it cannot be started. */
  readonly watch: (command: TryableCommand, running: Promise<TriedCommand>) => unknown;
  /** When aborted, the command that runs is ended, and no other begins. */
  readonly signal: AbortSignal;
}

/** A command to be tried. */
type TryableCommand = Pick<TriedCommand, "kind" | "command">;

/** What a trial of a repository gives: its commands as they ended, or why none was run. */
export type TrialOutcome = { readonly tried: readonly TriedCommand[] } | { readonly hindrance: Finding };

/**
 * Runs the setup and acceptance commands, preferably those of the repository's own file, once on a clean
 * checkout of the default branch, confined and with services as for an agent. Returns what keeps them from working.
 */
export async function tryCommands(trial: Trial, repository: RepositoryRef): Promise<readonly Finding[]> {
  const about = fullName(repository);
  const there = await orHindrance(about, () => settingsThere(trial, repository));
  if ("hindrance" in there) return [there.hindrance];
  const outcome = await runTrial(trial, repository, there);
  if ("hindrance" in outcome) return [...there.findings, outcome.hindrance];
  return [
    ...there.findings,
    ...outcome.tried.flatMap((one) => triedFault(one) ?? []).map((fault) => ({ about, ...fault })),
  ];
}

/**
 * Runs the commands of these settings. Uses a mirror and a checkout of its own below the data directory, and
 * removes them.
 */
export async function runTrial(
  trial: Trial,
  repository: RepositoryRef,
  { setup, services, evidence }: WorkSettings,
): Promise<TrialOutcome> {
  const { config, github } = trial;
  const about = fullName(repository);
  const commands = commandsOf({ setup, evidence });
  const scratch = await makeTrialDirectory(config.environment.dataDir);
  // What the proxy refuses is in the findings.
  const log: Log = { ...trial.log, warn: () => undefined };
  const releases = new ShutdownStack(log);
  try {
    const outcome = await orHindrance(about, async (): Promise<TrialOutcome> => {
      if (!mayRunIn(config, await github.repository(repository))) return { hindrance: { about, ...PUBLIC } };
      if (commands.length === 0) return { hindrance: { about, ...NO_COMMANDS } };
      const [unconfined] = await sandboxFindings(config, systemClock);
      if (unconfined !== undefined) return { hindrance: unconfined };
      // The settings are those of the serving process, with a directory of its own as data directory.
      // Named, since a copy leaves them out.
      const { secrets } = config;
      const placed = { ...config, secrets, environment: { ...config.environment, dataDir: scratch } };
      const runner = await makeRunner(placed, { clock: systemClock, log, releases, groups: NO_GROUPS });
      const place = await cleanCheckout(trial, repository, { scratch, log, cache: setup.cache });
      const run = { trial, runner, setup, services, timeoutMs: evidence.timeoutMs };
      return { tried: await runAll(run, place, commands) };
    });
    return "hindrance" in outcome ? { hindrance: shownFinding(outcome.hindrance, scratch) } : outcome;
  } finally {
    await releases.run();
    await removeTree(scratch);
  }
}

/** A pull request may show it. */
const shownFinding = ({ about, what, next }: Finding, scratch: string): Finding => ({
  about,
  what: what.replaceAll(scratch, ELSEWHERE),
  next: next.replaceAll(scratch, ELSEWHERE),
});

/** Returns what GitHub, git or the sandbox refused as a finding. */
async function orHindrance<T>(
  about: string,
  work: () => Promise<T>,
): Promise<T | { readonly hindrance: Finding }> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error;
    return { hindrance: { about, what: messageOf(error), next: error.advice ?? "try again later" } };
  }
}

const PUBLIC = {
  what: "is public, and agents run unconfined",
  next: "Nothing is run there; set sandbox.mode: bubblewrap",
};
const NO_COMMANDS = {
  what: "there is nothing to run: setup.commands and evidence.commands are empty, so agents' claims are not tried",
  next: "Name the commands that your tests are run by",
};

type WorkSettings = Pick<Settings, "setup" | "services" | "evidence">;

function commandsOf({
  setup,
  evidence,
}: Pick<WorkSettings, "setup" | "evidence">): readonly TryableCommand[] {
  return [
    ...setup.commands.map((command) => ({ kind: "setup", command }) as const),
    ...evidence.commands.map((command) => ({ kind: "acceptance", command }) as const),
  ];
}

interface Place extends CommandPlace {
  readonly scratch: string;
}

async function cleanCheckout(
  { config, github }: Trial,
  repository: RepositoryRef,
  {
    scratch,
    log,
    cache: names,
  }: { readonly scratch: string; readonly log: Log; readonly cache: readonly string[] },
): Promise<Place> {
  const worktrees = createWorktrees({
    dataDir: scratch,
    serverUrl: serverUrls(config.environment).gitUrl,
    token: (asked) => github.gitToken(asked),
    isolation: makeIsolation(config),
    log,
  });
  const ref = { repository, name: "doctor", branch: null };
  const { path } = await worktrees.prepare(ref, { base: null, reusePushed: false });
  const [home, cache] = [join(scratch, "home"), join(scratch, "cache")];
  for (const directory of [home, ...names.map((name) => join(cache, name))])
    await mkdir(directory, { recursive: true, mode: 0o700 });
  return { scratch, path, home, cache };
}

interface Run extends Omit<AsForAgent, "config"> {
  readonly trial: Trial;
}

/** Runs the commands in order; stops after a setup command that failed, where one could not run, and when the trial is stopped. */
async function runAll(
  run: Run,
  place: Place,
  commands: readonly TryableCommand[],
): Promise<readonly TriedCommand[]> {
  const { signal, watch } = run.trial;
  const tried: TriedCommand[] = [];
  for (const command of commands) {
    if (signal.aborted) break;
    const started = runOne(run, place, command);
    const running = tried.length === 0 ? started : started.catch(notStarted(run, place, command));
    const [one] = await Promise.all([running, watch(command, running)]);
    if (signal.aborted) break;
    tried.push(one);
    if (one.notRun !== undefined || (one.kind === "setup" && one.exitCode !== 0)) break;
  }
  return tried;
}

/** Returns the handler for a command that does not start although the sandbox started those before it. */
const notStarted =
  ({ trial }: Run, place: Place, { kind, command }: TryableCommand) =>
  (error: unknown): TriedCommand => {
    if (!(error instanceof OutsideError)) throw error;
    const why = printedText(messageOf(error), namesOf(place), trial.redact).trim();
    return {
      kind,
      command,
      ...NOTHING,
      notRun: {
        what: `the ${kind} command \`${command}\` does not start after those before it: ${why}`,
        next: "Have those leave the checkout as they find it, with its permissions",
      },
    };
  };

const NOTHING = {
  exitCode: null,
  timedOut: false,
  durationMs: 0,
  output: "",
  refusedHosts: [],
  refusals: [],
} as const;

async function runOne(run: Run, place: Place, command: TryableCommand): Promise<TriedCommand> {
  const { trial } = run;
  const clean = (text: string) => printedText(text, namesOf(place), trial.redact);
  const ofResult = ({ output, exitCode, timedOut, durationMs, refusedHosts, refusals }: CommandResult) => ({
    ...command,
    exitCode,
    timedOut,
    durationMs,
    refusedHosts,
    refusals,
    output: clean(output),
  });
  const { result, failure } = await runAsForAgent(
    { ...run, config: trial.config },
    {
      place,
      command,
      signal: trial.signal,
      mark: `doctor-${randomUUID()}@${place.path}`,
      maxOutputBytes: READ_BYTES,
    },
  );
  if (failure !== null)
    return { ...command, ...NOTHING, notRun: notReadyFault({ ...failure, log: clean(failure.log) }) };
  return result === null ? { ...command, ...NOTHING } : ofResult(result);
}

/** How a tried command's output names the directories of this host. */
const namesOf = ({ scratch, path, home, cache }: Place) =>
  [
    [path, "."],
    [home, "~"],
    [cache, "$FLOTILLA_CACHE"],
    [scratch, ELSEWHERE],
  ] as const;
