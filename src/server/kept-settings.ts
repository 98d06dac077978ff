import type { RepositoryFileRow } from "../domain/ports/settings-tables.ts";
import type { Settings } from "../domain/settings/settings.ts";
import { settingsFor } from "../domain/settings/settings-for.ts";

/**
 * Returns a function from a repository's id to the settings that apply there, from the database: the operator's
 * settings, and the repository's own file as it last was without a fault. For commands that run beside a serving
 * process.
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
