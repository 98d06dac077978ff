import { type Config, loadConfig } from "../../config/load-config.ts";
import { readRepositoryFile } from "../../config/repository-file.ts";
import { fullName, type RepositoryRef } from "../../domain/kernel/repository.ts";
import { proposedFile, proposedWork } from "../../domain/onboarding/onboarding-file.ts";
import type { GitHub } from "../../domain/ports/github.ts";
import type { RepositoryFileRead } from "../../domain/settings/repository-file.ts";
import { REPOSITORY_FILE } from "../../domain/settings/repository-file-path.ts";
import { settingsFor } from "../../domain/settings/settings-for.ts";
import { readRepositoryConfig } from "../../engine/settings/read-repository-config.ts";
import { readSeen } from "../../server/onboarding/read-seen.ts";
import { sentence } from "../../server/start-checks/finding.ts";
import type { CommandContext } from "../command.ts";
import { DECLARED } from "../declared.ts";
import { faultsToFix } from "../faults-to-fix.ts";
import { printText } from "../printer.ts";
import { working } from "../progress.ts";
import { readingGitHub } from "../reading-github.ts";
import { sayer } from "../sayer.ts";
import { knownRepositories, repositoryNamed } from "../try-named.ts";
import type { TrialOutcome } from "./try-commands.ts";
import { watchedTrial } from "./watched-trial.ts";

/** What holds for the repository: by its own file, or by the one that its files suggest. */
interface Stated {
  readonly file: "in_order" | "faulty" | "none";
  readonly read: RepositoryFileRead;
  /** What is proposed; null where the repository has a file, or nothing is recognised. */
  readonly proposal: string | null;
}

/**
 * Implements `check --repo`: checks the file on the default branch, or proposes one, and tries its commands as for an
 * agent. GitHub is only read.
 */
export async function checkRepository(context: CommandContext, name: string): Promise<number> {
  const { config } = loadConfig({ ...context, ...DECLARED });
  const tools = readingGitHub(context, config);
  const repository = await repositoryNamed(name, await knownRepositories(context), tools);
  if ("what" in repository) return concluded(context, name, { hindrance: repository });
  const stated = await working("GitHub is asked", () => statedBy(tools.github, config, repository));
  tell(context, fullName(repository), stated);
  const { override } = stated.read;
  if (
    stated.file === "faulty" ||
    (stated.file === "none" && stated.proposal === null && !hasCommands(config))
  )
    return concluded(context, fullName(repository), { stated });
  const settings = override === undefined ? config : settingsFor(config, override);
  sayer(context)("Checking out the default branch and running its commands in the sandbox of an agent.");
  const { outcome, stopped } = await watchedTrial(context, { ...tools, config }, repository, settings);
  return concluded(context, fullName(repository), { stated, outcome, stopped });
}

const hasCommands = ({ setup, evidence }: Config) => setup.commands.length + evidence.commands.length > 0;

async function statedBy(github: GitHub, config: Config, repository: RepositoryRef): Promise<Stated> {
  const { read } = await readRepositoryConfig(
    { github, settings: config, readFile: readRepositoryFile },
    repository,
    null,
  );
  if (read === null) return { file: "faulty", read: CHANGED, proposal: null };
  if (read.faults.length > 0) return { file: "faulty", read, proposal: null };
  if (read.override !== undefined) return { file: "in_order", read, proposal: null };
  const seen = await readSeen(github, repository);
  const isNothing = seen.setup.length + seen.run.length === 0;
  return {
    file: "none",
    read: readRepositoryFile(proposedFile(config, seen), config),
    proposal: isNothing ? null : proposedWork(config, seen),
  };
}

const CHANGED: RepositoryFileRead = {
  override: undefined,
  faults: [`${REPOSITORY_FILE}: it changed while it was read; run this again.`],
  notices: [],
};

function tell(context: CommandContext, name: string, { file, read, proposal }: Stated): void {
  const say = sayer(context);
  if (file === "in_order") say(`${name}: ${REPOSITORY_FILE} is in order.`);
  if (file === "none" && proposal === null)
    say(
      `${name} has no ${REPOSITORY_FILE}, and no lock file or manifest at its top that Flotilla knows, so nothing is proposed. Name the commands yourself: docs/repository-file.md has examples.`,
    );
  if (file === "none" && proposal !== null) {
    say(
      `${name} has no ${REPOSITORY_FILE}. Its files suggest this, which \`flotilla onboard ${name}\` proposes:`,
    );
    printText(say, `\n${proposal}`);
  }
  for (const fault of read.faults) say(`fault: ${fault}`);
  for (const notice of read.notices) say(`notice: ${notice}`);
}

interface Conclusion {
  readonly stated?: Stated;
  readonly outcome?: TrialOutcome;
  readonly stopped?: boolean;
}

function concluded(
  context: CommandContext,
  repository: string,
  { stated, outcome, stopped = false, ...found }: Conclusion & Partial<Hindered>,
): number {
  const hindrance =
    found.hindrance ?? (outcome !== undefined && "hindrance" in outcome ? outcome.hindrance : null);
  const tried = outcome !== undefined && "tried" in outcome ? outcome.tried : [];
  const failed = tried.filter(({ exitCode }) => exitCode !== 0);
  const ok = tried.length > 0 && failed.length === 0 && !stopped;
  if (context.options["json"] === true) {
    const { file = null, proposal = null, read } = stated ?? {};
    const all = { faults: read?.faults ?? [], notices: read?.notices ?? [] };
    context.print(
      JSON.stringify({ repository, ok, file, proposal, ...all, hindrance, stopped, commands: tried }),
    );
    return ok ? 0 : 1;
  }
  const say = sayer(context);
  if (stopped) say("Stopped. The checkout and what it loaded are removed.");
  else if (hindrance !== null) say(sentence(hindrance));
  else if (stated?.file === "faulty") say(`${faultsToFix(stated.read.faults)}; nothing was run.`);
  else if (ok)
    say(
      `${tried.length === 1 ? "The command succeeded" : `All ${tried.length} commands succeeded`}: agents can work with this.`,
    );
  else if (failed.length > 0) say(lastWord(failed));
  return ok ? 0 : 1;
}

type Hindered = Extract<TrialOutcome, { readonly hindrance: unknown }>;

function lastWord(failed: Extract<TrialOutcome, { readonly tried: unknown }>["tried"]): string {
  const names = failed.map(({ command }) => `\`${command}\``).join(", ");
  const rest = failed.some(({ kind }) => kind === "setup") ? " Nothing after it was run." : "";
  return `${failed.length} of the commands failed: ${names}.${rest}`;
}
