import { fullName, parseFullName, type RepositoryRef } from "../domain/kernel/repository.ts";
import type { Finding } from "../server/start-checks/finding.ts";
import type { CommandContext } from "./command.ts";
import { type Trial, tryCommands } from "./commands/try-commands.ts";
import { databaseOf, reading } from "./data-directory.ts";
import { failureOf } from "./doctor/failure-of.ts";
import type { Progress } from "./progress.ts";

/**
 * Tries the set-up and acceptance commands in each repository that the arguments name, otherwise in all known ones, otherwise in
 * those of `repositories`.
 */
export async function tryNamed(
  context: Pick<CommandContext, "env" | "cwd" | "args">,
  trial: Omit<Trial, "watch" | "signal">,
  { show }: Progress,
): Promise<readonly Finding[]> {
  const known = await knownRepositories(context);
  const written = trial.config.repositories.filter((pattern) => parseFullName(pattern) !== undefined);
  const named = [context.args, known.map(fullName), written].find((names) => names.length > 0) ?? [];
  if (named.length === 0)
    return [
      {
        about: "repositories",
        what: "none is known yet, so nothing was run",
        next: "Name one where the App is installed: `flotilla doctor --run owner/name`",
      },
    ];
  const { signal } = new AbortController();
  const findings: Finding[] = [];
  for (const [at, name] of named.entries()) {
    const repository = await repositoryNamed(name, known, trial);
    if ("what" in repository) findings.push(repository);
    else {
      const watch: Trial["watch"] = ({ command }) =>
        show(`${fullName(repository)}: ${command}`, at, named.length);
      findings.push(...(await tryCommands({ ...trial, watch, signal }, repository)));
    }
  }
  return findings;
}

/** Returns the repositories that webhooks have mentioned. */
export async function knownRepositories(
  context: Pick<CommandContext, "env" | "cwd">,
): Promise<readonly RepositoryRef[]> {
  if (!(await databaseOf(context).exists())) return [];
  return reading(context, (store) => store.repositories.all());
}

/** Finds a repository by name; asks GitHub about one that no webhook has mentioned. */
export async function repositoryNamed(
  name: string,
  known: readonly RepositoryRef[],
  { github }: Pick<Trial, "github">,
): Promise<RepositoryRef | Finding> {
  const heard = known.find((one) => fullName(one).toLowerCase() === name.toLowerCase());
  if (heard !== undefined) return heard;
  const parts = parseFullName(name);
  if (parts === undefined)
    return { about: name, what: "is no name of a repository", next: "Write it as owner/name" };
  const asked = github.installedAt(parts);
  const failed = await failureOf(name, asked);
  return failed ?? (await asked) ?? absent(name, known);
}

function absent(name: string, known: readonly RepositoryRef[]): Finding {
  const others = known.length === 0 ? "" : `, or name one of ${known.map(fullName).join(", ")}`;
  return {
    about: name,
    what: "does not exist, or the App is not installed there, so nothing was run",
    next: `Install the App on it${others}`,
  };
}
