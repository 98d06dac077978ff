import { agentDirectory } from "../adapters/runtimes/acp/installed.ts";
import type { Preset } from "../adapters/runtimes/acp/preset.ts";
import { commandPreset } from "../adapters/runtimes/acp/presets/command-preset.ts";
import { PRESETS } from "../adapters/runtimes/acp/presets/presets.ts";
import type { Api } from "../adapters/runtimes/gateway/dialects/dialect.ts";
import { modelsOf, namedModel, type RuntimeSettings } from "../domain/settings/runtime-use.ts";

/** A program that agents may run as, beside the built-in runtime. */
export interface AgentProgram {
  /** The runtime's name in the configuration. */
  readonly name: string;
  readonly preset: Preset;
  /** The directory with the `node_modules` of its package; empty for a command of the operator. */
  readonly packages: string;
  /** The program of a command of the operator, absolute; null for a package. */
  readonly file: string | null;
}

/** Where programs are looked for. `cwd` and `dataDir` are absolute; `path` is the variable PATH. */
export interface ProgramPlaces {
  readonly dataDir: string;
  readonly cwd: string;
  readonly path: string;
}

/** Returns the programs of `runtimes`, whether they are installed or not. */
export function agentPrograms(
  settings: RuntimeSettings,
  { dataDir, cwd, path }: ProgramPlaces,
): readonly AgentProgram[] {
  return Object.entries(settings.runtimes).flatMap(([name, { preset, command, ...set }]): AgentProgram[] => {
    if (command !== undefined) {
      const given = { api: apiOf(name, settings), cwd, path };
      const own = commandPreset(name, { ...set, command }, given);
      return [{ name, preset: own, packages: "", file: own.command().file }];
    }
    // The configuration names no preset that is not there.
    const known = PRESETS.get(preset ?? "");
    return known === undefined
      ? []
      : [{ name, preset: known, packages: agentDirectory(dataDir, known.name), file: null }];
  });
}

/** Returns the API of the runtime's first model. */
function apiOf(name: string, settings: RuntimeSettings): Api {
  const { provider } = namedModel(modelsOf(name, settings)[0], settings);
  const at = provider === null ? settings.runtime.provider : settings.providers[provider];
  if (at?.type === "anthropic" || at?.type === "gemini") return at.type;
  return at?.wireApi ?? "completions";
}
