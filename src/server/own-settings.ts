import { readRepositoryFile } from "../config/repository-file.ts";
import type { Settings } from "../domain/settings/settings.ts";
import { RepositorySettings } from "../engine/settings/repository-settings.ts";
import { recordRepositoryConfig } from "./response-recorder.ts";

type Given = Omit<ConstructorParameters<typeof RepositorySettings>[0], "settings" | "readFile" | "note">;

/** Creates the reader of repositories' own files, which apply within the operator's settings. */
export function ownSettingsOf(settings: Settings, given: Given): RepositorySettings {
  return new RepositorySettings({
    ...given,
    settings,
    readFile: readRepositoryFile,
    note: recordRepositoryConfig,
  });
}
