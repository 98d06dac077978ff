import type { RepositoryFileRow } from "../domain/ports/settings-tables.ts";
import type { Settings } from "../domain/settings/settings.ts";
import { settingsFor } from "../domain/settings/settings-for.ts";

/**
 * What holds in a repository, by its id, as the database has it: the operator's settings, and what its own file said last
 * without a fault. For commands that read beside a serving process.
 */
export function keptSettings(
  settings: Settings,
  files: readonly RepositoryFileRow[],
): (repositoryId: number) => Settings {
  const overrides = new Map(files.map(({ repositoryId, override }) => [repositoryId, override]));
  return (repositoryId) => {
    const override = overrides.get(repositoryId) ?? null;
    return override === null ? settings : settingsFor(settings, override);
  };
}
