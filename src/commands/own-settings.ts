import { readRepositoryFile } from "../config/repository-file.ts";
import type { Settings } from "../core/settings.ts";
import { RepositorySettings } from "../engine/repository-settings/repository-settings.ts";
import { noteOwnFile } from "./hearing.ts";

type Given = Omit<ConstructorParameters<typeof RepositorySettings>[0], "settings" | "readFile" | "note">;

/** What repositories say of themselves, read by the reader of configuration within the operator's settings. */
export function ownSettingsOf(settings: Settings, given: Given): RepositorySettings {
  return new RepositorySettings({ ...given, settings, readFile: readRepositoryFile, note: noteOwnFile });
}
