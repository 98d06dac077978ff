import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createTrialGit, type TrialGit } from "../../adapters/git/trial/create-trial-git.ts";
import { removeTree } from "../../adapters/git/worktree/remove-tree.ts";
import { NO_GROUPS } from "../../adapters/sandbox/groups/agent-groups.ts";
import type { Config } from "../../config/load-config.ts";
import type { Redact } from "../../domain/access/redact.ts";
import { howItEnded } from "../../domain/conversation/command-failure.ts";
import { messageOf, OutsideError } from "../../domain/kernel/errors.ts";
import type { RepositoryRef } from "../../domain/kernel/repository.ts";
import type { GitHub } from "../../domain/ports/github.ts";
import type { Log } from "../../domain/ports/log.ts";
import type { CommandResult, Runner } from "../../domain/ports/runner.ts";
import { notReadyFault } from "../../domain/services/service-texts.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { testNames } from "../../domain/trial/test-names.ts";
import type { TrialCase } from "../../domain/trial/trial-case.ts";
import type { TestRun } from "../../domain/trial/verdict.ts";
import { makeIsolation, makeRunner } from "../../server/make-runner.ts";
import { serverUrls } from "../../server/server-urls.ts";
import { ShutdownStack } from "../../server/shutdown-stack.ts";
import { systemClock } from "../../server/system-clock.ts";
import { runAsForAgent } from "../as-for-agent.ts";
import { printedText } from "../printed-text.ts";

/** All of what a large suite prints: names of tests are read from it. */
const READ_BYTES = 32 * 1024 * 1024;
/** Characters of the end of an output that are kept. */
const KEPT = 12_000;

export interface BenchOptions {
  readonly config: Config;
  readonly repository: RepositoryRef;
  readonly github: Pick<GitHub, "gitToken">;
  readonly log: Log;
  readonly redact: Redact;
  /** The trial's own, absolute. One process at a time may use it. */
  readonly directory: string;
  /** Those of the repository, as the commands below run. */
  readonly settings: Pick<Settings, "setup" | "services" | "evidence">;
  readonly setup: readonly string[];
  readonly tests: readonly string[];
  readonly signal: AbortSignal;
}

/** Where the cases of a trial are prepared and judged. No agent reaches it. */
export interface TrialBench extends BenchOptions {
  readonly git: TrialGit;
  readonly runner: Runner;
}

/** Gives `work` a bench, and releases it. Throws `StartupRefused` where the sandbox is missing. */
export async function withBench<T>(
  options: BenchOptions,
  work: (bench: TrialBench) => Promise<T>,
): Promise<T> {
  const { config, repository, github, log, directory } = options;
  const dataDir = join(directory, "bench");
  // Checkouts of a process that was killed.
  await removeTree(join(dataDir, "worktrees"));
  await removeTree(join(dataDir, "mirrors", `${repository.id}.git`, "worktrees"));
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const { secrets } = config;
  // The sandbox shows git's data of worktrees in its data directory. The bench is below it, so commands that judge a result
  // do not see the mirror, which has the real change.
  const placed = { ...config, secrets, environment: { ...config.environment, dataDir: directory } };
  const releases = new ShutdownStack(log);
  try {
    const runner = await makeRunner(placed, { clock: systemClock, log, releases, groups: NO_GROUPS });
    const git = createTrialGit(
      {
        dataDir,
        serverUrl: serverUrls(config.environment).gitUrl,
        token: (asked) => github.gitToken(asked),
        // Nothing is pushed.
        level: () => "observe",
        isolation: makeIsolation(config),
        log,
      },
      repository,
    );
    return await work({ ...options, git, runner });
  } finally {
    await releases.run();
  }
}

/**
 * Makes a bare repository of a case, with its history up to the base on one branch, and nothing later. Does nothing where the
 * directory exists.
 */
export async function prepareRepository(
  { git }: Pick<TrialBench, "git">,
  one: Pick<TrialCase, "pull" | "base" | "change">,
  place: { readonly directory: string; readonly branch: string },
): Promise<void> {
  await git.fetchCase(one);
  await git.loneHistory({ ...place, commit: one.base });
}

/**
 * Runs the setup and test commands once in a clean checkout of the commit, as for an agent's claim. Null where the bench's signal
 * came first.
 */
export async function runTests(bench: TrialBench, commit: string): Promise<TestRun | null> {
  const ref = { repository: bench.repository, name: `case-${randomUUID()}`, branch: null };
  const { path, home } = await bench.git.checkout(ref, commit);
  // As setups of one repository share it: for downloads that are checked when they are used.
  const place = { path, home, cache: join(bench.directory, "bench", "cache") };
  try {
    for (const name of bench.settings.setup.cache)
      await mkdir(join(place.cache, name), { recursive: true, mode: 0o700 });
    return await runAll(bench, place);
  } finally {
    await bench.git.removeCheckout(ref);
  }
}

type Place = Parameters<typeof runAsForAgent>[1]["place"];

async function runAll(bench: TrialBench, place: Place): Promise<TestRun | null> {
  const outputs: string[] = [];
  let output = "";
  const commands = [
    ...bench.setup.map((command) => ({ kind: "setup", command }) as const),
    ...bench.tests.map((command) => ({ kind: "acceptance", command }) as const),
  ];
  const namesNow = () => {
    const each = outputs.map(testNames);
    return each.includes(null) ? null : testNames(outputs.join("\n"));
  };
  for (const { kind, command } of commands) {
    const { result, why } = await runOne(bench, place, { kind, command });
    if (bench.signal.aborted) return null;
    if (result !== null) {
      output = cleaned(bench, place, result.output);
      if (kind === "acceptance") outputs.push(result.output);
    }
    const unproved = result === null || result.timedOut ? why : null;
    if (result?.exitCode !== 0)
      return {
        failed: { kind: kind === "setup" ? "setup" : "test", command, unproved },
        names: namesNow(),
        output,
      };
  }
  return { failed: null, names: namesNow(), output };
}

async function runOne(
  bench: TrialBench,
  place: Place,
  command: { readonly kind: "setup" | "acceptance"; readonly command: string },
): Promise<{ readonly result: CommandResult | null; readonly why: string }> {
  const { config, runner, settings, signal } = bench;
  const { setup, services, evidence } = settings;
  const how = { config, runner, setup, services, timeoutMs: evidence.timeoutMs };
  const mark = `trial-${randomUUID()}@${place.path}`;
  try {
    const task = { place, command, signal, mark, maxOutputBytes: READ_BYTES };
    const { result, failure } = await runAsForAgent(how, task);
    if (failure === null) return { result, why: result === null ? "" : howItEnded(result) };
    return { result: null, why: notReadyFault({ ...failure, log: cleaned(bench, place, failure.log) }).what };
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error;
    return { result: null, why: cleaned(bench, place, messageOf(error)).replace(/\.$/, "") };
  }
}

function cleaned({ directory, redact }: TrialBench, { path, home }: Place, text: string): string {
  const names = [
    [path, "."],
    [home, "~"],
    [directory, "…"],
  ] as const;
  return printedText(text.slice(-2 * KEPT), names, redact).slice(-KEPT);
}
