import { removeTree } from "../adapters/git/worktree/remove-tree.ts";
import { createAcpRuntime } from "../adapters/runtimes/acp/runtime.ts";
import { RefusedModels } from "../adapters/runtimes/gateway/refused-models.ts";
import { DEFAULT_RUNTIME } from "../adapters/runtimes/registry.ts";
import type { RuntimeHost } from "../adapters/runtimes/runtime-entry.ts";
import type { Config } from "../config/load-config.ts";
import { agentHosts, agentReadsRegistries } from "../domain/access/confinement.ts";
import type { AgentRuntime } from "../domain/ports/agent-runtime.ts";
import { agentPrograms, type ProgramPlaces } from "./agent-programs.ts";
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
  const others = agentPrograms(config, programPlaces(config.environment.dataDir)).map(
    ({ name, preset, packages }) => createAcpRuntime(preset, { ...host, name, packages }),
  );
  const made = [DEFAULT_RUNTIME.create(host), ...others];
  return new Map(made.map((runtime) => [runtime.name, given.wrapped(runtime)]));
}

/** Returns where this process looks for the programs of agents. */
export function programPlaces(dataDir: string): ProgramPlaces {
  return { dataDir, cwd: process.cwd(), path: process.env["PATH"] ?? "" };
}
