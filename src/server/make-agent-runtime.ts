import { removeTree } from "../adapters/git/worktree/remove-tree.ts";
import { agentDirectory } from "../adapters/runtimes/acp/installed.ts";
import type { Preset } from "../adapters/runtimes/acp/preset.ts";
import { commandPreset } from "../adapters/runtimes/acp/presets/command-preset.ts";
import { PRESETS } from "../adapters/runtimes/acp/presets/presets.ts";
import { createAcpRuntime } from "../adapters/runtimes/acp/runtime.ts";
import type { Api } from "../adapters/runtimes/gateway/dialects/dialect.ts";
import { RefusedModels } from "../adapters/runtimes/gateway/refused-models.ts";
import { DEFAULT_RUNTIME } from "../adapters/runtimes/registry.ts";
import type { RuntimeHost } from "../adapters/runtimes/runtime-entry.ts";
import type { Config } from "../config/load-config.ts";
import { agentHosts, agentReadsRegistries } from "../domain/access/confinement.ts";
import type { AgentRuntime } from "../domain/ports/agent-runtime.ts";
import { modelsOf, namedModel } from "../domain/settings/runtime-use.ts";
import type { RuntimeSetting } from "../domain/settings/runtimes-section.ts";
import { shortened } from "./crash-points.ts";

/** Creates the agent runtimes, by name. They get our environment to choose from; agents do not. */
export function makeAgentRuntimes(
  config: Config,
  given: {
    readonly host: Omit<
      RuntimeHost,
      "env" | "hosts" | "registries" | "removeTree" | "refusedModels" | "openMs"
    >;
    readonly wrapped: (runtime: AgentRuntime) => AgentRuntime;
  },
): ReadonlyMap<string, AgentRuntime> {
  const openMs = shortened(process.env["FLOTILLA_OPEN_LIMIT_MS"]);
  const host: RuntimeHost = {
    ...given.host,
    env: process.env,
    hosts: agentHosts(config),
    registries: agentReadsRegistries(config),
    removeTree,
    refusedModels: new RefusedModels(given.host.clock),
    openMs,
  };
  const others = Object.entries(config.runtimes).flatMap(([name, set]) => {
    const preset = presetOf(name, set, config);
    const packages = set.preset === undefined ? "" : agentDirectory(config.environment.dataDir, set.preset);
    return preset === undefined ? [] : [createAcpRuntime(preset, { ...host, name, packages })];
  });
  const made = [DEFAULT_RUNTIME.create(host), ...others];
  return new Map(made.map((runtime) => [runtime.name, given.wrapped(runtime)]));
}

/** Returns what is known of a configured program; the configuration names no preset that is not there. */
function presetOf(
  name: string,
  { preset, command, ...set }: RuntimeSetting,
  config: Config,
): Preset | undefined {
  if (command === undefined) return PRESETS.get(preset ?? "");
  return commandPreset(
    name,
    { ...set, command },
    {
      api: apiOf(name, config),
      cwd: process.cwd(),
      path: process.env["PATH"] ?? "",
    },
  );
}

/** Returns the API of the runtime's first model. */
function apiOf(name: string, config: Config): Api {
  const { provider } = namedModel(modelsOf(name, config)[0], config);
  const at = provider === null ? config.runtime.provider : config.providers[provider];
  if (at?.type === "anthropic" || at?.type === "gemini") return at.type;
  return at?.wireApi ?? "completions";
}
