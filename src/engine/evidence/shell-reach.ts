import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { EngineContext } from "../kernel/engine-context.ts";

/** What a line of shell may reach beyond the directory that it runs in. */
export interface ShellReach {
  /** Absolute directories. */
  readonly writable: readonly string[];
  /** By name, HTTPS alone. */
  readonly hosts: readonly string[];
  /** More variables. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Setup commands reach the hosts of `setup.network` and, where `setup.cache` names directories, those of this repository,
 * below the directory that FLOTILLA_CACHE names. `own` is a directory of the agent or the checkout with the home in it.
 */
export async function setupReach(
  context: EngineContext,
  agent: AgentRecord,
  own: string,
): Promise<ShellReach> {
  const { network, cache } = context.settings.setup;
  if (cache.length === 0) return { writable: [own], hosts: network, env: {} };
  const directory = await context.directories.cache(agent.repositoryId, cache);
  return { writable: [own, directory], hosts: network, env: { FLOTILLA_CACHE: directory } };
}
