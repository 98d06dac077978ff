import { type AgentGroups, createAgentGroups, NO_GROUPS } from "../adapters/sandbox/groups/agent-groups.ts";
import { groupFiles } from "../adapters/sandbox/groups/group-files.ts";
import { claimGroup, type Standing, standingOf } from "../adapters/sandbox/groups/own-group.ts";
import { PROCESSES } from "../adapters/sandbox/limits.ts";
import type { Config } from "../config/load-config.ts";
import type { Log } from "../domain/ports/log.ts";

const HOW =
  "Write `Delegate=memory pids` into the service's unit, as config/deploy/flotilla.service does; docs/deploy.md says what else can be done";

/**
 * Gives each agent a control group where this process may make them. Else agents run without a limit in common, as does
 * everything that reads their limits only to decide whether one may start.
 */
export async function openAgentGroups(
  { environment, sandbox }: Pick<Config, "environment" | "sandbox">,
  log: Log,
): Promise<AgentGroups> {
  const standing = claimGroup(groupFiles, { proc: "/proc/self", pid: process.pid });
  if (standing.kind !== "ready") {
    log.info({ reason: whyNot(standing), advice: HOW }, "agents have no control groups");
    return NO_GROUPS;
  }
  const { base } = standing;
  const { memoryBytes } = sandbox;
  log.info({ group: base, memoryBytes }, "each agent has a control group");
  const { dataDir } = environment;
  return createAgentGroups({ files: groupFiles, base, dataDir, memoryBytes, processes: PROCESSES, log });
}

/** What doctor says of the limits of agents. */
export interface LimitsSeen {
  readonly enforced: boolean;
  /** One sentence, with the next step where agents have no limit. */
  readonly says: string;
}

/** Returns how the serving process stands, or without one how this one would; changes nothing. */
export function seeLimits(
  servingPid: number | null,
  { memoryBytes }: Pick<Config["sandbox"], "memoryBytes">,
): LimitsSeen {
  const pid = servingPid ?? process.pid;
  const standing = standingOf(groupFiles, { pid, proc: `/proc/${pid}` });
  return limitsInWords(standing, { isServing: servingPid !== null, hasMemory: memoryBytes !== null });
}

export function limitsInWords(
  standing: Standing,
  { isServing, hasMemory }: { readonly isServing: boolean; readonly hasMemory: boolean },
): LimitsSeen {
  const enforced = standing.kind === "ready" || (standing.kind === "possible" && !isServing);
  if (!enforced) {
    const start = isServing ? "Agents have" : "Started from here, Flotilla gives agents";
    return {
      enforced,
      says: `${start} no control groups, which would limit the memory and processes of each: ${whyNot(standing)}. ${HOW}.`,
    };
  }
  const what = hasMemory ? "the memory and processes" : "the processes";
  const more = hasMemory ? "" : "; `sandbox.memory_gib` sets the limit of its memory, and is off";
  const start = isServing ? "A" : "Started from here, a";
  return { enforced, says: `${start} control group limits ${what} of each agent${more}.` };
}

function whyNot(standing: Standing): string {
  return standing.kind === "impossible" ? standing.why : "the log of its start says why it made none";
}
