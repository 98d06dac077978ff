import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type Config, loadConfig } from "../../config/load-config.ts";
import type { Role } from "../../domain/agents/role.ts";
import { limitsFor } from "../../domain/breakers/limits.ts";
import { fullName, type RepositoryRef } from "../../domain/kernel/repository.ts";
import { againstOlder } from "../../domain/trial/results.ts";
import { TRIAL_VERSION, type TrialAims, type TrialLine } from "../../domain/trial/trial-line.ts";
import { otherAims, stateOf, type TrialState } from "../../domain/trial/trial-state.ts";
import { systemClock } from "../../server/system-clock.ts";
import type { CommandContext } from "../command.ts";
import { DECLARED } from "../declared.ts";
import { settingsThere } from "../doctor/settings-there.ts";
import { working } from "../progress.ts";
import { readingGitHub } from "../reading-github.ts";
import { refused } from "../refused.ts";
import { sayer } from "../sayer.ts";
import { knownRepositories, repositoryNamed } from "../try-named.ts";
import { untilInterrupted } from "../until-interrupted.ts";
import { benchGround } from "./bench-ground.ts";
import { costOfKilled, runCase } from "./run-case.ts";
import { runTrial, type TrialHalt } from "./run-trial.ts";
import { withBench } from "./trial-bench.ts";
import { openTrialFile, readTrialFile, type TrialFile } from "./trial-file.ts";
import { trialPage } from "./trial-page.ts";
import { newsLine, printTrial, trialJson } from "./trial-text.ts";
import {
  armsWished,
  commandsWished,
  roleWished,
  type TrialWish,
  trialWish,
  unpricedModels,
  type WishFault,
} from "./trial-wish.ts";

/** `flotilla trial`: returns the exit code. */
export async function tryOnIssues(context: CommandContext, name: string): Promise<number> {
  const wish = trialWish(context);
  if ("what" in wish) return refused(context, wish.what, wish.next);
  const { config } = loadConfig({ ...context, ...DECLARED });
  const role = roleWished(wish, config);
  if ("what" in role) return refused(context, role.what, role.next);
  const arms = armsWished(wish, role, config);
  if ("what" in arms) return refused(context, arms.what, arms.next);
  if (config.sandbox.mode === "none") return refused(context, UNCONFINED.what, UNCONFINED.next);
  for (const model of unpricedModels(arms, config))
    sayer(context)(`There is no price for ${model} in \`runtime.prices\`, so its costs show as nothing.`);
  const older = wish.against === null ? null : await readTrialFile(resolve(context.cwd, wish.against));
  const tools = readingGitHub(context, config);
  const repository = await repositoryNamed(name, await knownRepositories(context), tools);
  if ("what" in repository)
    return refused(context, `${repository.about} ${repository.what}.`, `${repository.next}.`, "not_found");
  const there = await working("GitHub is asked", () => settingsThere({ ...tools, config }, repository));
  const commands = commandsWished(wish, there);
  if ("what" in commands) return refused(context, commands.what, commands.next);
  const aims: TrialAims = {
    repository: fullName(repository),
    arms,
    role: role.name,
    roleDigest: digestOf(role, config),
    ...commands,
  };
  const path = resolve(context.cwd, wish.out);
  const directory = path.replace(/\.jsonl$/, ".work");
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const file = await openTrialFile(path, directory);
  try {
    const fault = await begin(file, aims, older);
    if (fault !== null) return refused(context, fault.what, fault.next);
    const halt = await made({ context, wish, config, role, repository, file, directory, there, tools });
    return await shown(context, { file, path, older, halt });
  } finally {
    await file.close();
  }
}

const UNCONFINED: WishFault = {
  what: "A trial runs in the sandbox alone: without one an agent could read what came after, or write on GitHub.",
  next: "Write `sandbox: { mode: bubblewrap }` into the configuration.",
};

/** Changes with all of the role that changes how its agents work. */
function digestOf(role: Role, config: Config): string {
  const { prompt, tools, capabilities, skills, temperature } = role;
  const seen = { prompt, tools, capabilities, skills, temperature, limits: limitsFor(config, role) };
  return createHash("sha256").update(JSON.stringify(seen)).digest("hex").slice(0, 16);
}

/** Writes the first lines of a new file: with an older trial, its cases. Returns why a file that is there cannot go on. */
async function begin(file: TrialFile, aims: TrialAims, older: TrialState | null): Promise<WishFault | null> {
  const state = stateOf(file.lines);
  if (older !== null && older.aims.repository !== aims.repository)
    return {
      what: `The older trial is on ${older.aims.repository}, and this one on ${aims.repository}.`,
      next: "Name a trial on the same repository with --against.",
    };
  if (state !== null) {
    const others = otherAims(aims, state.aims);
    if (others.length === 0) return null;
    return {
      what: `The trial in this file differs in ${others.join(", ")}, so it cannot go on.`,
      next: "Name a new file with --out, and this one with --against to compare both.",
    };
  }
  const at = new Date(systemClock.now()).toISOString();
  const first: TrialLine[] = [{ kind: "trial", version: TRIAL_VERSION, at, aims }];
  for (const line of [...first, ...(older?.cases ?? [])]) await file.add(line);
  return null;
}

interface Making {
  readonly context: CommandContext;
  readonly wish: TrialWish;
  readonly config: Config;
  readonly role: Role;
  readonly repository: RepositoryRef;
  readonly file: TrialFile;
  readonly directory: string;
  readonly there: Awaited<ReturnType<typeof settingsThere>>;
  readonly tools: ReturnType<typeof readingGitHub>;
}

/** Makes what is missing of the trial. */
async function made(making: Making): Promise<TrialHalt> {
  const { context, wish, config, role, repository, file, directory, there, tools } = making;
  const say = sayer(context);
  const state = stateOf(file.lines);
  if (state === null) throw new Error("the trial has not begun");
  const { aims, cases } = state;
  const commands = { setup: aims.setup, tests: aims.tests };
  const { defaultBranch } = await tools.github.repository(repository);
  const { owner, name } = repository;
  return untilInterrupted((signal) =>
    withBench({ ...tools, ...commands, config, repository, directory, settings: there, signal }, (bench) =>
      working("issues are looked at", (progress) =>
        runTrial({
          file,
          ground: benchGround(bench, tools.github, defaultBranch),
          worker: {
            maxCostUsd: limitsFor(config, role).maxCostUsd,
            work: ({ of, agent, model }, place) =>
              runCase({
                ...place,
                ...commands,
                config,
                owner,
                name,
                role,
                case: of.case,
                arm: { agent, model },
                signal,
              }),
            costOf: costOfKilled,
          },
          // A comparison is made on the cases of the older trial.
          issues: wish.against === null ? wish.issues : cases.length,
          slots: wish.slots,
          budget: wish.budget,
          directory,
          signal,
          tell: (news) => {
            say(newsLine(news));
            progress.show(news.kind === "run" ? "runs are made" : "cases are found", news.done, news.of);
          },
        }),
      ),
    ),
  );
}

interface Shown {
  readonly file: TrialFile;
  readonly path: string;
  readonly older: TrialState | null;
  readonly halt: TrialHalt;
}

/** Writes the page, and prints the result. */
async function shown(context: CommandContext, { file, path, older, halt }: Shown): Promise<number> {
  const state = stateOf(file.lines);
  if (state === null) throw new Error("the trial has not begun");
  const against = older === null ? null : againstOlder(older, state);
  const page = path.replace(/\.jsonl$/, ".html");
  await writeFile(page, trialPage(state, against), { mode: 0o600 });
  const { print, options } = context;
  if (options["json"] === true) {
    print(JSON.stringify({ ...trialJson(state, against), ended: halt, file: path, page }));
  } else {
    print("");
    printTrial(print, state, against);
    print("");
    print(`Each case with its changes: ${page}`);
    if (halt !== "done") print(ONCE_MORE[halt]);
    if (state.cases.length === 0) print(NO_CASES);
  }
  return halt === "interrupted" || state.cases.length === 0 ? 1 : 0;
}

const ONCE_MORE: Readonly<Record<Exclude<TrialHalt, "done">, string>> = {
  interrupted: "Stopped. Run the same command to go on; finished runs are kept.",
  budget: "The budget is spent. Run the same command with a greater --budget to go on.",
};
const NO_CASES =
  "No issue of this repository can be a case. The reasons above say why; --setup and --test name how its tests are run.";
