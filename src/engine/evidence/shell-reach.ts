import { type AgentRecord, isOnPull } from "../../domain/agents/agent-record.ts";
import type { ServiceHost } from "../../domain/ports/service-host.ts";
import type { EngineContext } from "../kernel/engine-context.ts";

/** What a shell command line may reach outside its directory. */
export interface ShellReach {
  /** Absolute directories. */
  readonly writable: readonly string[];
  /** Host names, reachable by HTTPS only. */
  readonly hosts: readonly string[];
  /** Whether the operator's registries are reached. */
  readonly registries: boolean;
  /** Additional environment variables. */
  readonly env: Readonly<Record<string, string>>;
  /** Starts services beside the command. */
  readonly services?: ServiceHost;
}

/**
 * Returns what setup commands may reach: the operator's registries, the hosts of `setup.network` and, where `setup.cache` names
 * directories, those of the repository's cache, below the directory in FLOTILLA_CACHE. `own` is the directory
 * of the agent, or of the checkout, that contains the home.
 */
export async function setupReach(
  context: EngineContext,
  agent: AgentRecord,
  own: string,
): Promise<ShellReach> {
  const { network, cache } = context.settingsOf(agent.repositoryId).setup;
  // What a person's pull request leaves in a cache would be there for the work of agents.
  if (cache.length === 0 || isOnPull(agent))
    return { writable: [own], hosts: network, registries: true, env: {} };
  const directory = await context.directories.cache(agent.repositoryId, cache);
  return {
    writable: [own, directory],
    hosts: network,
    registries: true,
    env: { FLOTILLA_CACHE: directory },
  };
}
