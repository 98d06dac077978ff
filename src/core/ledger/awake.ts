import type { LedgerAgent } from "./postings.ts";

/** A move of an agent by which it went to work, or left it. */
export interface AwakeMove {
  readonly agentId: number;
  readonly at: number;
  readonly begins: boolean;
}

export interface AwakePeriod {
  readonly agent: LedgerAgent;
  readonly from: number;
  readonly to: number;
}

/**
 * When agents were ACTIVE within `[from, to)`, by their moves since `from`. An end without its beginning began before;
 * a period that continues is counted up to `to`.
 */
export function awakePeriods(
  agents: readonly LedgerAgent[],
  moves: readonly AwakeMove[],
  { from, to }: { from: number; to: number },
): readonly AwakePeriod[] {
  const byAgent = Map.groupBy(moves, ({ agentId }) => agentId);
  return agents.flatMap((agent) => {
    const periods: AwakePeriod[] = [];
    let since: number | null = null;
    for (const { at, begins } of byAgent.get(agent.id) ?? []) {
      if (begins) since = at;
      else {
        periods.push({ agent, from: since ?? from, to: at });
        since = null;
      }
    }
    if (agent.activeSince !== null) periods.push({ agent, from: Math.max(agent.activeSince, from), to });
    return periods.filter((period) => period.to > period.from);
  });
}
