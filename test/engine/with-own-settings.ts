import { readRepositoryFile } from "../../src/config/repository-file.ts";
import type { AgentRuntime } from "../../src/domain/ports/agent-runtime.ts";
import { DayLedger } from "../../src/engine/breakers/day-ledger.ts";
import type { EngineContext } from "../../src/engine/kernel/engine-context.ts";
import { settingsParts } from "../../src/engine/settings/parts.ts";
import { RepositorySettings } from "../../src/engine/settings/repository-settings.ts";
import { recordRepositoryConfig } from "../../src/server/response-recorder.ts";

type Later =
  | "changed"
  | "diskRoom"
  | "room"
  | "shownHolds"
  | "nodes"
  | "ledger"
  | "providerBreaker"
  | "toolKind"
  | "ownSettings"
  | "settingsOf"
  | "allSettings"
  | "roleOf"
  | "useOf"
  | "registry";

/** What an engine is given before that. */
export type Given = Omit<EngineContext, Later>;

/** With the repositories' own settings as the engine has them. */
export function withOwnSettings(given: Given) {
  const ownSettings = new RepositorySettings({
    ...given,
    readFile: readRepositoryFile,
    note: recordRepositoryConfig,
  });
  const parts = settingsParts(ownSettings);
  const shownHolds = { requestRound: () => {} };
  return { ...given, ownSettings, ...parts, shownHolds, ledger: new DayLedger(parts.settingsOf) };
}

/** The runtimes, each changed. */
export function eachRuntime(
  { runtimes }: Pick<Given, "runtimes">,
  change: (runtime: AgentRuntime) => AgentRuntime,
): Given["runtimes"] {
  return new Map([...runtimes].map(([name, runtime]) => [name, change(runtime)]));
}
