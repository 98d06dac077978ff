import type { Config } from "../../config/load-config.ts";
import { readRepositoryFile } from "../../config/repository-file.ts";
import { fullName, type RepositoryRef } from "../../domain/kernel/repository.ts";
import type { RepositoryFiles } from "../../domain/ports/github-changes.ts";
import { faultsInLine } from "../../domain/settings/repository-file-text.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { settingsFor } from "../../domain/settings/settings-for.ts";
import { readRepositoryConfig } from "../../engine/settings/read-repository-config.ts";
import type { Finding } from "../../server/start-checks/finding.ts";

/**
 * Returns how worktrees are prepared and work is proved in a repository: by its own file on the default branch, within the
 * configuration; by the configuration if that file is missing or faulty, with the faults. Throws
 * `GitHubError`.
 */
export async function settingsThere(
  { config, github }: { readonly config: Config; readonly github: RepositoryFiles },
  repository: RepositoryRef,
): Promise<Pick<Settings, "setup" | "services" | "evidence"> & { readonly findings: readonly Finding[] }> {
  const reading = { github, settings: config, readFile: readRepositoryFile };
  const { read } = await readRepositoryConfig(reading, repository, null);
  const { override, faults = [] } = read ?? {};
  const { setup, services, evidence } = override === undefined ? config : settingsFor(config, override);
  if (faults.length === 0) return { setup, services, evidence, findings: [] };
  const finding = {
    about: fullName(repository),
    what: `its own file is faulty, so the commands of the configuration were tried: ${faultsInLine(faults)}`,
    next: "Correct .github/flotilla.yml; `flotilla check --file` checks it before it is pushed",
  };
  return { setup, services, evidence, findings: [finding] };
}
