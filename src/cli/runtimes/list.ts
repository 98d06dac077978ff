import { agentDirectory, installedVersion } from "../../adapters/runtimes/acp/installed.ts";
import { PRESETS } from "../../adapters/runtimes/acp/presets/presets.ts";
import { DEFAULT_RUNTIME } from "../../adapters/runtimes/registry.ts";
import { BUILT_IN_RUNTIME } from "../../domain/settings/runtime-section.ts";
import { modelsOf, runtimeNames } from "../../domain/settings/runtime-use.ts";
import type { CommandContext } from "../command.ts";
import { dataDirectory } from "../data-directory.ts";
import { refused } from "../refused.ts";
import { settingsHere } from "../settings-here.ts";
import { printTable } from "../table.ts";
import { refuseUnreadable } from "./file-faults.ts";

/** One runtime, as the list shows it. */
interface Listed {
  readonly name: string;
  /** The preset, or the command with its arguments. */
  readonly runs: string;
  /** Null: not installed, or a command, whose version nobody knows. */
  readonly installed: string | null;
  /** The version with which this Flotilla was tried; null for a command. */
  readonly tried: string | null;
  readonly models: readonly string[];
  /** Whether agents may have it: it stands in the configuration. */
  readonly configured: boolean;
}

/** `flotilla runtimes list`: what agents may run as, and what could be installed. */
export function list(context: CommandContext): number {
  if (context.args.length > 1) return refused(context, "Run `flotilla runtimes list`.");
  const runtimes = listed(context);
  if (context.options["json"] === true) context.print(JSON.stringify({ runtimes }));
  else
    printTable(
      context.print,
      ["NAME", "RUNS", "INSTALLED", "TRIED", "MODELS"],
      runtimes.map(({ name, runs, installed, tried, models, configured }) => [
        name,
        runs,
        installed ?? (tried === null ? "-" : "no"),
        tried ?? "-",
        configured ? models.join(", ") : "not in the configuration",
      ]),
    );
  return 0;
}

function listed(context: CommandContext): readonly Listed[] {
  const settings = settingsHere(context);
  const dataDir = dataDirectory(context);
  refuseUnreadable(dataDir);
  const ofPreset = (preset: string) => {
    const known = PRESETS.get(preset);
    return {
      runs: preset,
      installed: known === undefined ? null : installedVersion(known, agentDirectory(dataDir, preset)),
      tried: known?.package?.version ?? null,
    };
  };
  const configured = Object.entries(settings.runtimes).map(([name, { preset, command = [] }]): Listed => {
    const program =
      preset === undefined ? { runs: command.join(" "), installed: null, tried: null } : ofPreset(preset);
    return { name, ...program, models: modelsOf(name, settings), configured: true };
  });
  const used = new Set(Object.values(settings.runtimes).map(({ preset }) => preset));
  return [
    {
      name: BUILT_IN_RUNTIME,
      runs: DEFAULT_RUNTIME.title,
      installed: builtInVersion(),
      tried: builtInVersion(),
      models: modelsOf(BUILT_IN_RUNTIME, settings),
      configured: runtimeNames(settings).includes(BUILT_IN_RUNTIME),
    },
    ...configured,
    ...[...PRESETS.keys()]
      .filter((preset) => !used.has(preset))
      .map((preset): Listed => ({ name: preset, ...ofPreset(preset), models: [], configured: false })),
  ];
}

/** It comes with Flotilla, so that the version is the tried one. */
function builtInVersion(): string | null {
  try {
    return DEFAULT_RUNTIME.version();
  } catch {
    return null;
  }
}
