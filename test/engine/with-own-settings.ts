import { noteOwnFile } from "../../src/commands/hearing.ts";
import { readRepositoryFile } from "../../src/config/repository-file.ts";
import type { EngineContext } from "../../src/engine/context.ts";
import { DayLedger } from "../../src/engine/day-ledger.ts";
import { settingsParts } from "../../src/engine/repository-settings/parts.ts";
import { RepositorySettings } from "../../src/engine/repository-settings/repository-settings.ts";

type Later =
  | "changed"
  | "diskRoom"
  | "shownHolds"
  | "ledger"
  | "parking"
  | "ownSettings"
  | "settingsOf"
  | "allSettings"
  | "roleOf";

/** What an engine is given before that. */
export type Given = Omit<EngineContext, Later>;

/** With the repositories' own settings as the engine has them. */
export function withOwnSettings(given: Given) {
  const ownSettings = new RepositorySettings({ ...given, readFile: readRepositoryFile, note: noteOwnFile });
  const parts = settingsParts(ownSettings);
  const shownHolds = { look: () => {} };
  return { ...given, ownSettings, ...parts, shownHolds, ledger: new DayLedger(parts.settingsOf) };
}
