import type { Config } from "../config/load-config.ts";
import { readRepositoryFile } from "../config/repository-file.ts";
import type { RepositoryFiles } from "../core/ports/repository-files.ts";
import { fullName, type RepositoryRef } from "../core/repository.ts";
import type { Settings } from "../core/settings.ts";
import { settingsFor } from "../core/settings-for.ts";
import { faultsInLine } from "../core/text/repository-file.ts";
import { readOwnFile } from "../engine/repository-settings/read-own-file.ts";
import type { Finding } from "./start-checks/finding.ts";

/**
 * How work is proved in a repository: as its own file on the default branch says now, within the configuration; as the
 * configuration says where there is none, or one with faults, which are told. Throws `GitHubError`.
 */
export async function evidenceThere(
  { config, github }: { readonly config: Config; readonly github: RepositoryFiles },
  repository: RepositoryRef,
): Promise<{ readonly evidence: Settings["evidence"]; readonly findings: readonly Finding[] }> {
  const reading = { github, settings: config, readFile: readRepositoryFile };
  const { read } = await readOwnFile(reading, repository, null);
  const { override, faults = [] } = read ?? {};
  const { evidence } = override === undefined ? config : settingsFor(config, override);
  if (faults.length === 0) return { evidence, findings: [] };
  const finding = {
    about: fullName(repository),
    what: `its own file is faulty, so the commands of the configuration were tried: ${faultsInLine(faults)}`,
    next: "Correct .github/flotilla.yml; `flotilla check --file` checks it before it is pushed",
  };
  return { evidence, findings: [finding] };
}
