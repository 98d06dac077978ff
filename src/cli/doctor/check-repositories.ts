import { NO_CHANGES } from "../../domain/kernel/change-set.ts";
import { fullName, parseFullName } from "../../domain/kernel/repository.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import { moment } from "../../domain/messages/format.ts";
import type { RepositoryFileRow } from "../../domain/ports/settings-tables.ts";
import { repositoryFileState } from "../../domain/settings/repository-file-state.ts";
import { faultsInLine, repositoryFileWords } from "../../domain/settings/repository-file-text.ts";
import { withinLimits } from "../../domain/settings/repository-limits.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { keptSettings } from "../../server/kept-settings.ts";
import type { Finding } from "../../server/start-checks/finding.ts";
import type { Check, DoctorGitHub } from "./check.ts";
import { failureOf } from "./failure-of.ts";

/**
 * Reports repositories of the configuration without the App. For each known repository with the App, reports
 * what it asks of agents that they cannot do, faults of its own file, missing trigger labels and base branches. A known
 * repository that removed the App is no fault.
 */
export const checkRepositories: Check = async ({ config, github, store, refusal }) => {
  if ((await refusal) !== null) return [];
  const known = await store.repositories.all();
  const files = await store.repositoryFiles.all();
  const settingsOf = keptSettings(config, files);
  const named = config.repositories.flatMap((pattern) => parseFullName(pattern) ?? []);
  const unheard = named.filter((one) => known.every((row) => !same(row, one)));
  const found = await Promise.all([
    ...unheard.map(async (one) => absent(one, await asked(fullName(one), github.isInstalled(one)))),
    ...known.map(async (row) => {
      const there = await asked(fullName(row), github.isInstalled(row));
      if (there !== true)
        return there === false && named.every((one) => !same(row, one)) ? [] : absent(row, there);
      const both = await Promise.all([
        limitsOf(github, row, settingsOf(row.id)),
        labelsOf(github, row, settingsOf(row.id).roles),
        basesOf(github, row, settingsOf(row.id)),
      ]);
      return [...fileFaults(row, files), ...both.flat()];
    }),
  ]);
  return found.flat();
};

type Name = Pick<RepositoryRow, "owner" | "name">;

/** Compares names without case, as GitHub does. */
function same(one: Name, other: Name): boolean {
  return fullName(one).toLowerCase() === fullName(other).toLowerCase();
}

/** Returns the answer, or the finding that replaces it. */
async function asked<T>(about: string, answer: Promise<T>): Promise<T | Finding> {
  const failed = await failureOf(about, answer);
  return failed ?? answer;
}

function absent(one: Name, there: boolean | Finding): readonly Finding[] {
  if (typeof there !== "boolean") return [there];
  return there ? [] : [notInstalled(one)];
}

/**
 * Returns the faults of the repository's own file when it was last read, with what applies instead and what
 * to do.
 */
function fileFaults(row: RepositoryRow, files: readonly RepositoryFileRow[]): readonly Finding[] {
  const file = files.find(({ repositoryId }) => repositoryId === row.id);
  const fileState = repositoryFileState(file);
  if (file === undefined || fileState.state !== "faulty") return [];
  const about = fullName(row);
  const { what, next } = repositoryFileWords(fileState, about);
  return [
    {
      about,
      what: `${what} (read ${moment(file.readAt)}): ${faultsInLine(fileState.faults)}`,
      next: next ?? "",
    },
  ];
}

async function limitsOf(
  github: DoctorGitHub,
  row: RepositoryRow,
  { merge }: Pick<Settings, "merge">,
): Promise<readonly Finding[]> {
  const about = fullName(row);
  const limits = await asked(about, github.repositoryLimits(row, row.defaultBranch));
  if ("about" in limits) return [limits];
  const { decisions } = withinLimits(NO_CHANGES, limits, { base: row.defaultBranch, method: merge.method });
  return decisions.map(({ reason, change }) => ({ about, what: reason, next: change ?? "" }));
}

/** Returns the branches that work may go to by name and that are not there; a pattern names none. */
async function basesOf(
  github: DoctorGitHub,
  row: RepositoryRow,
  { base, bases }: Pick<Settings, "base" | "bases">,
): Promise<readonly Finding[]> {
  const about = fullName(row);
  const named = [base, ...bases.map((one) => (typeof one === "string" ? one : one.branch))].filter(
    (branch) => branch !== null && branch !== row.defaultBranch && !branch.includes("*"),
  );
  const found = await Promise.all(
    [...new Set(named)].map(async (branch): Promise<readonly Finding[]> => {
      const there = await asked(about, github.hasBranch(row, branch ?? ""));
      if (typeof there !== "boolean") return [there];
      const what = `has no branch \`${branch}\`, which \`${branch === base ? "base" : "bases"}\` names: no work starts on it`;
      return there
        ? []
        : [
            {
              about,
              what,
              next: "Push that branch, or take it out of the configuration or the repository's own file",
            },
          ];
    }),
  );
  return found.flat();
}

async function labelsOf(
  github: DoctorGitHub,
  row: RepositoryRow,
  roles: Settings["roles"],
): Promise<readonly Finding[]> {
  const uses = [...roles.values()].flatMap(({ name: role, triggers }) =>
    triggers.flatMap(({ label }) => (label === undefined ? [] : [{ role, label }])),
  );
  const missing = await asked(
    fullName(row),
    github.missingLabels(
      row,
      uses.map(({ label }) => label),
    ),
  );
  if ("about" in missing) return [missing];
  return uses.filter(({ label }) => missing.includes(label)).map((use) => withoutLabel(row, use));
}

function notInstalled(one: Name): Finding {
  return {
    about: fullName(one),
    what: "is named in `repositories`, but the App is not installed there: Flotilla receives no webhooks from it",
    next: `Add it on the page of the App's installation on ${one.owner}, or take it out of \`repositories\``,
  };
}

function withoutLabel(
  one: RepositoryRow,
  { role, label }: { readonly role: string; readonly label: string },
): Finding {
  return {
    about: fullName(one),
    what: `has no label "${label}", which starts the role ${role}: nobody can put it on an issue`,
    next: `Make it on the page of the repository's labels, or change the trigger of ${role}`,
  };
}
