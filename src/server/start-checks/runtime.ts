import { existsSync } from "node:fs";
import { installedVersion } from "../../adapters/runtimes/acp/installed.ts";
import { DEFAULT_RUNTIME } from "../../adapters/runtimes/registry.ts";
import { messageOf, OutsideError } from "../../domain/kernel/errors.ts";
import type { Log } from "../../domain/ports/log.ts";
import { BUILT_IN_RUNTIME } from "../../domain/settings/runtime-section.ts";
import { isNamed, runtimeNames } from "../../domain/settings/runtime-use.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { type AgentProgram, agentPrograms, type ProgramPlaces } from "../agent-programs.ts";
import type { Finding, StartFindings } from "./finding.ts";
import { isOlder } from "./is-older.ts";

const AGAIN = "Run `npm install` again: its version comes with ours";

/**
 * Checks that the built-in runtime is installed and recent enough: a fault where work comes to it by itself, advice where only a
 * command can choose it, nothing where no agent may have it.
 */
export function runtimeFindings(
  settings: Pick<Settings, "runtime" | "runtimes" | "runtimeLabels" | "roles">,
  read: () => string = DEFAULT_RUNTIME.version,
): StartFindings {
  if (!runtimeNames(settings).includes(BUILT_IN_RUNTIME)) return { faults: [], advice: [] };
  const found = builtInFindings(read);
  return isNamed(BUILT_IN_RUNTIME, settings) ? { faults: found, advice: [] } : { faults: [], advice: found };
}

function builtInFindings(read: () => string): readonly Finding[] {
  const { title: about, oldest } = DEFAULT_RUNTIME;
  try {
    const version = read();
    if (!isOlder(version, oldest)) return [];
    return [{ about, what: `is ${version}, older than ${oldest}`, next: AGAIN }];
  } catch (error) {
    const next = error instanceof OutsideError ? error.advice : undefined;
    return [{ about, what: messageOf(error), next: next ?? AGAIN }];
  }
}

/** Returns whether there is something to start, of whatever version. */
export function isInstalled({ preset, packages, file }: AgentProgram): boolean {
  return file === null ? installedVersion(preset, packages) !== null : existsSync(file);
}

/** Returns why the program cannot be what was tested; null where it is. Starts nothing. */
export function programFinding({ name, preset, packages, file }: AgentProgram): Finding | null {
  const about = `runtimes.${name}`;
  if (file !== null && !existsSync(file))
    return {
      about,
      what: `there is no ${file}: work for it waits`,
      next: `Install it, or correct runtimes.${name}.command`,
    };
  if (preset.package === null) return null;
  const add = `Run \`flotilla runtimes add ${preset.name}\``;
  const installed = installedVersion(preset, packages);
  const { version } = preset.package;
  if (installed === null)
    return { about, what: `${preset.title} is not installed: work for it waits`, next: add };
  return installed === version
    ? null
    : { about, what: `${preset.title} was tested with ${version}, installed is ${installed}`, next: add };
}

/** Returns a finding for each program of `runtimes` that is not there, or not the tested one. */
export function programFindings(
  settings: Pick<Settings, "providers" | "runtime" | "runtimes">,
  places: ProgramPlaces,
): readonly Finding[] {
  return agentPrograms(settings, places).flatMap((program) => programFinding(program) ?? []);
}

/** Logs at the start which programs are not there: work for them waits, and everything else goes on. */
export function logPrograms(
  settings: Pick<Settings, "providers" | "runtime" | "runtimes">,
  places: ProgramPlaces,
  log: Log,
): void {
  for (const { about: runtime, what, next } of programFindings(settings, places))
    log.warn({ runtime, reason: what, advice: next }, "a runtime is missing, or not the tested version");
}
