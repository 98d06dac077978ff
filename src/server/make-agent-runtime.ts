import { removeTree } from "../adapters/git/worktree/remove-tree.ts";
import { RefusedModels } from "../adapters/runtimes/gateway/refused-models.ts";
import { DEFAULT_RUNTIME } from "../adapters/runtimes/registry.ts";
import type { RuntimeHost } from "../adapters/runtimes/runtime-entry.ts";
import type { Config } from "../config/load-config.ts";
import { agentHosts, agentReadsRegistries } from "../domain/access/confinement.ts";
import type { AgentRuntime } from "../domain/ports/agent-runtime.ts";
import { shortened } from "./crash-points.ts";

/** Creates the configured agent runtime. The runtime gets our environment to choose from; agents do not. */
export function makeAgentRuntime(
  config: Config,
  parts: Omit<RuntimeHost, "env" | "hosts" | "registries" | "removeTree" | "refusedModels" | "openMs">,
): AgentRuntime {
  const openMs = shortened(process.env["FLOTILLA_OPEN_LIMIT_MS"]);
  return DEFAULT_RUNTIME.create({
    ...parts,
    env: process.env,
    hosts: agentHosts(config),
    registries: agentReadsRegistries(config),
    removeTree,
    refusedModels: new RefusedModels(parts.clock),
    openMs,
  });
}
