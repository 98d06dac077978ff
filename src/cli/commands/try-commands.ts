import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { createWorktrees } from "../../adapters/git/worktree/create-worktrees.ts";
import { removeTree } from "../../adapters/git/worktree/remove-tree.ts";
import type { Config } from "../../config/load-config.ts";
import { agentHosts, agentReadsRegistries, mayRunIn } from "../../domain/access/confinement.ts";
import type { Redact } from "../../domain/access/redact.ts";
import { type TriedCommand, type TriedFault, triedFault } from "../../domain/commands/tried-command.ts";
import { messageOf, OutsideError } from "../../domain/kernel/errors.ts";
import type { RepositoryRef } from "../../domain/kernel/repository.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import { cleanText } from "../../domain/messages/printable.ts";
import type { GitHub } from "../../domain/ports/github.ts";
import type { RepositorySetup } from "../../domain/ports/github-app.ts";
import type { RepositoryFiles } from "../../domain/ports/github-changes.ts";
import type { Log } from "../../domain/ports/log.ts";
import type { CommandResult, Runner } from "../../domain/ports/runner.ts";
import type { ServiceHost } from "../../domain/ports/service-host.ts";
import { type Services, serviceVariables } from "../../domain/services/service.ts";
import { notReadyFault } from "../../domain/services/service-texts.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { runBeside } from "../../engine/services/run-beside.ts";
import { commandEnvironment } from "../../server/command-environment.ts";
import { makeIsolation, makeRunner } from "../../server/make-runner.ts";
import { serverUrls } from "../../server/server-urls.ts";
import { ShutdownStack } from "../../server/shutdown-stack.ts";
import type { Finding } from "../../server/start-checks/finding.ts";
import { systemClock } from "../../server/system-clock.ts";
import { settingsThere } from "../doctor/settings-there.ts";

const READ_BYTES = 16_000;

/** The inputs of trying a repository's commands. */
export interface Trial {
  readonly config: Config;
  readonly github: Pick<GitHub, "gitToken" | "repository"> &
    Pick<RepositorySetup, "installedAt"> &
    RepositoryFiles;
  readonly log: Log;
  readonly redact: Redact;
  /** Called before each command. */
  readonly begin: (what: string) => void;
}

/**
 * Runs the setup and acceptance commands, preferably those of the repository's own file, once on a clean
 * checkout of the default branch, confined and with services as for an agent. Returns what keeps them from working. Uses a
 * mirror and a checkout of its own below the data directory, and removes them.
 */
export async function tryCommands(trial: Trial, repository: RepositoryRef): Promise<readonly Finding[]> {
  const { config, github } = trial;
  const about = fullName(repository);
  const scratch = await mkdtemp(join(config.environment.dataDir, "doctor-"));
  // What the proxy refuses is in the findings.
  const log: Log = { ...trial.log, warn: () => undefined };
  const releases = new ShutdownStack(log);
  try {
    if (!mayRunIn(config, await github.repository(repository)))
      return [
        {
          about,
          what: "is public, and agents run unconfined",
          next: "Nothing is run there; set sandbox.mode: bubblewrap",
        },
      ];
    const { setup, services, evidence, findings } = await settingsThere(trial, repository);
    const commands = commandsOf({ setup, evidence });
    if (commands.length === 0) return [...findings, { about, ...NO_CHANGES }];
    // The settings are those of the serving process, with a directory of its own as data directory.
    // Named, since a copy leaves them out.
    const { secrets } = config;
    const placed = { ...config, secrets, environment: { ...config.environment, dataDir: scratch } };
    const runner = await makeRunner(placed, { clock: systemClock, log, releases });
    const place = await cleanCheckout(trial, repository, { scratch, log, cache: setup.cache });
    const run = { trial, runner, about, setup, services, timeoutMs: evidence.timeoutMs };
    const faults = await runAll(run, place, commands);
    return [...findings, ...faults.map((fault) => ({ about, ...fault }))];
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error;
    return [{ about, what: messageOf(error), next: error.advice ?? "try again later" }];
  } finally {
    await releases.run();
    await removeTree(scratch);
  }
}

const NO_CHANGES = {
  what: "there is nothing to run: setup.commands and evidence.commands are empty, so agents' claims are not tried",
  next: "Name the commands that your tests are run by",
};

type Asked = Pick<TriedCommand, "kind" | "command">;

function commandsOf({ setup, evidence }: Pick<Settings, "setup" | "evidence">): readonly Asked[] {
  return [
    ...setup.commands.map((command) => ({ kind: "setup", command }) as const),
    ...evidence.commands.map((command) => ({ kind: "acceptance", command }) as const),
  ];
}

interface Place {
  readonly path: string;
  readonly home: string;
  readonly cache: string;
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
  return { path, home, cache };
}

interface Run {
  readonly trial: Trial;
  readonly runner: Runner;
  readonly about: string;
  /** The repository's. */
  readonly setup: Settings["setup"];
  readonly services: Services;
  readonly timeoutMs: number;
}

/** Runs the commands in order; stops after a setup command that failed, and where a service is not ready. */
async function runAll(run: Run, place: Place, commands: readonly Asked[]): Promise<readonly TriedFault[]> {
  const faults: TriedFault[] = [];
  for (const command of commands) {
    run.trial.begin(`${run.about}: ${command.command}`);
    const { fault, stops } = await runOne(run, place, command);
    if (fault !== null) faults.push(fault);
    if (stops) break;
  }
  return faults;
}

interface Outcome {
  readonly fault: TriedFault | null;
  readonly stops: boolean;
}

/** Acceptance commands run beside the services, as for a claim. */
async function runOne(run: Run, place: Place, { kind, command }: Asked): Promise<Outcome> {
  const { trial, runner, services } = run;
  const clean = (text: string) => cleanText(text, trial.redact, READ_BYTES);
  const faultOf = ({ output, ...how }: CommandResult) =>
    triedFault({ kind, command, ...how, output: clean(output) });
  const { signal } = new AbortController();
  if (kind === "setup") {
    const fault = faultOf(await inCheckout(run, place, { kind, command, signal }));
    return { fault, stops: fault !== null };
  }
  if (Object.keys(services).length === 0)
    return { fault: faultOf(await inCheckout(run, place, { kind, command, signal })), stops: false };
  const host = await runner.services();
  const { result, failures } = await runBeside(systemClock, host, {
    services,
    directory: join(place.home, "services"),
    signal,
    run: (stop) => inCheckout(run, place, { kind, command, signal: stop, beside: host }),
  });
  const [failed] = failures;
  if (failed !== undefined)
    return { fault: notReadyFault({ ...failed, log: clean(failed.log) }), stops: true };
  return { fault: result === null ? null : faultOf(result), stops: false };
}

function inCheckout(
  { trial, runner, setup, services, timeoutMs }: Run,
  { path, home, cache }: Place,
  task: Asked & { readonly signal: AbortSignal; readonly beside?: ServiceHost },
): Promise<CommandResult> {
  const { kind, command, signal, beside } = task;
  const { config } = trial;
  const caches = kind === "setup" && setup.cache.length > 0;
  return runner.run(
    {
      file: "/bin/sh",
      args: ["-c", command],
      cwd: path,
      env: {
        ...setup.environment,
        ...(beside === undefined ? {} : serviceVariables(services)),
        ...commandEnvironment(process.env),
        HOME: home,
        TMPDIR: home,
        CI: "true",
        ...(caches ? { FLOTILLA_CACHE: cache } : {}),
      },
    },
    {
      writable: [path, home, ...(caches ? [cache] : [])],
      readable: [],
      hosts: kind === "setup" ? setup.network : agentHosts(config),
      registries: kind === "setup" || agentReadsRegistries(config),
      ...(beside === undefined ? {} : { services: beside }),
      mark: `doctor-${randomUUID()}@${path}`,
      timeoutMs,
      signal,
      maxOutputBytes: READ_BYTES,
    },
  );
}
