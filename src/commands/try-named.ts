import { existsSync } from "node:fs";
import { join } from "node:path";
import { fullName, type RepositoryRef } from "../core/repository.ts";
import type { CommandContext } from "./command.ts";
import { dataDirectory, reading } from "./data-directory.ts";
import type { Progress } from "./progress.ts";
import type { Finding } from "./start-checks/finding.ts";
import { type Trial, tryCommands } from "./try-commands.ts";

/** Tries the commands in each repository that the arguments name, or in all that are known. */
export async function tryNamed(
  context: Pick<CommandContext, "env" | "cwd" | "args">,
  trial: Omit<Trial, "begin">,
  { show }: Progress,
): Promise<readonly Finding[]> {
  const { setup, evidence } = trial.config;
  if (setup.commands.length + evidence.commands.length === 0)
    return [
      {
        about: "configuration",
        what: "there is nothing to run: setup.commands and evidence.commands are empty, so agents' claims are not tried",
        next: "Name the commands that your tests are run by",
      },
    ];
  const known = await knownRepositories(context);
  const named = context.args.length === 0 ? known.map(fullName) : context.args;
  if (named.length === 0)
    return [
      {
        about: "repositories",
        what: "none is known yet, so nothing was run",
        next: "Start Flotilla and install the App on one: it is known from its first webhook on",
      },
    ];
  const findings: Finding[] = [];
  for (const [at, name] of named.entries()) {
    const repository = known.find((one) => fullName(one).toLowerCase() === name.toLowerCase());
    const begin = (what: string): void => show(what, at, named.length);
    if (repository === undefined) findings.push(unknown(name, known));
    else findings.push(...(await tryCommands({ ...trial, begin }, repository)));
  }
  return findings;
}

async function knownRepositories(
  context: Pick<CommandContext, "env" | "cwd">,
): Promise<readonly RepositoryRef[]> {
  if (!existsSync(join(dataDirectory(context), "flotilla.db"))) return [];
  return reading(context, (store) => store.repositories.all());
}

function unknown(name: string, known: readonly RepositoryRef[]): Finding {
  const others = known.map(fullName).join(", ");
  return {
    about: name,
    what: "is no repository that Flotilla knows, so nothing was run there",
    next: others === "" ? "It is known from its first webhook on" : `Name one of ${others}`,
  };
}
