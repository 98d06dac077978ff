import { loadConfig } from "../config/load-config.ts";
import { StartupRefused } from "../domain/kernel/errors.ts";
import { ALL_ROLES } from "../domain/recovery/node-roles.ts";
import { machineMemory } from "../server/machine-memory.ts";
import { sandboxFindings } from "../server/make-runner.ts";
import { serverUrls } from "../server/server-urls.ts";
import { type Finding, type StartFindings, sentence } from "../server/start-checks/finding.ts";
import { checkMemory } from "../server/start-checks/memory.ts";
import { sharingFaults, unneededSecrets } from "../server/start-checks/roles.ts";
import { programFindings } from "../server/start-checks/runtime.ts";
import { runStartChecks } from "../server/start-checks/start-checks.ts";
import { systemClock } from "../server/system-clock.ts";
import type { CommandContext } from "./command.ts";
import { databaseOf, dataDirectory } from "./data-directory.ts";
import { DECLARED } from "./declared.ts";

type Loaded = ReturnType<typeof loadConfig>;

/** Returns the configuration, or why it is refused, with the findings of the start checks on this machine. */
export async function checkBeforeStart(
  context: Pick<CommandContext, "env" | "cwd">,
): Promise<StartFindings & { readonly loaded: Loaded | StartupRefused }> {
  const loaded = loadedOrRefused(context);
  const config = loaded instanceof StartupRefused ? undefined : loaded.config;
  const roles = config?.environment.roles;
  const running = roles?.has("runner") === true ? config : undefined;
  const places = { dataDir: dataDirectory(context), cwd: context.cwd, path: context.env["PATH"] ?? "" };
  const found = await runStartChecks({
    ...context,
    dataDir: places.dataDir,
    database: databaseOf(context),
    apiUrl: config && serverUrls(config.environment).apiUrl,
    minFreeBytes: config?.disk.minFreeBytes,
    running,
  });
  const sandbox = running === undefined ? [] : await sandboxFindings(running, systemClock);
  const memory = running === undefined ? [] : checkMemory(running, machineMemory());
  const programs = running === undefined ? [] : programFindings(running, places);
  const open = running?.sandbox.mode === "none" ? [UNCONFINED] : [];
  const shared = roles === undefined ? [] : sharingFaults(roles, databaseOf(context));
  return {
    faults: [...found.faults, ...sandbox, ...shared],
    advice: [
      ...found.advice,
      ...open,
      ...memory,
      ...programs,
      ...unneededSecrets(roles ?? ALL_ROLES, context.env),
    ],
    loaded,
  };
}

const UNCONFINED: Finding = {
  about: "sandbox",
  what: "is off: agents and the commands of repositories run as flotilla, with all that it may read",
  next: "Write `sandbox: { mode: bubblewrap }`; without one work only in private repositories whose people you trust",
};

/**
 * Returns the configuration if it is safe to start with it. Throws `StartupRefused` with all faults at once.
 */
export async function checkedConfig(context: Pick<CommandContext, "env" | "cwd">): Promise<Loaded> {
  const { loaded, faults } = await checkBeforeStart(context);
  const found = faults.map(sentence);
  if (loaded instanceof StartupRefused) throw new StartupRefused([...loaded.faults, ...found]);
  if (found.length > 0) throw new StartupRefused(found);
  return loaded;
}

function loadedOrRefused({ env, cwd }: Pick<CommandContext, "env" | "cwd">): Loaded | StartupRefused {
  try {
    return loadConfig({ env, cwd, ...DECLARED });
  } catch (error) {
    if (error instanceof StartupRefused) return error;
    throw error;
  }
}
