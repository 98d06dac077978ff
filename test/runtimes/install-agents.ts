import { homedir } from "node:os";
import { join } from "node:path";
import { agentDirectory, installedVersion } from "../../src/adapters/runtimes/acp/installed.ts";
import type { Preset } from "../../src/adapters/runtimes/acp/preset.ts";
import { lockOf } from "../../src/adapters/runtimes/acp/presets/locks.ts";
import { PRESETS } from "../../src/adapters/runtimes/acp/presets/presets.ts";
import { install } from "../../src/cli/runtimes/install.ts";

/** Where the agents of these tests lie, kept from run to run: as in a data directory. */
export const KEPT = process.env["FLOTILLA_TESTS_AGENTS"] ?? join(homedir(), ".cache", "flotilla-agents");

/** The presets that are tested: all, or those that FLOTILLA_TESTS_PRESETS names. */
export function testedPresets(): readonly Preset[] {
  const named = process.env["FLOTILLA_TESTS_PRESETS"]?.split(",");
  return [...PRESETS.values()].filter(({ name }) => named?.includes(name) ?? true);
}

export function packagesOf(preset: Preset): string {
  return agentDirectory(KEPT, preset.name);
}

/** Installs the agents that are missing: 1.5 GB the first time. */
export async function setup(): Promise<void> {
  for (const preset of testedPresets()) {
    const directory = packagesOf(preset);
    if (preset.package === null || installedVersion(preset, directory) === preset.package.version) continue;
    await install({
      preset: { ...preset, package: preset.package },
      lock: lockOf(preset.name),
      directory,
      env: process.env,
      progress: () => {},
      signal: new AbortController().signal,
    });
  }
}
