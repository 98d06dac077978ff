import type { AgentRecord, Grant } from "../agents/agent-record.ts";
import type { Limits } from "../breakers/limits.ts";
import { microUsd } from "../breakers/money.ts";

/** What a limit is counted in, as people write it. */
export type GrantUnit = "turns" | "toolCalls" | "wakes" | "tokens" | "costMicroUsd" | "activeMs";

export const NO_GRANT: Grant = {
  by: [],
  turns: 0,
  toolCalls: 0,
  wakes: 0,
  tokens: 0,
  costMicroUsd: 0,
  activeMs: 0,
  rounds: 0,
};

/**
 * The largest grant, single or total: a million dollars in micro-dollars. More would mean "no limit", which the
 * configuration can say, and sums of much larger numbers are not exact.
 */
export const LARGEST = 1_000_000_000_000;

export function atMostLargest(sum: number): number {
  return Math.min(sum, LARGEST);
}

/** The unit of each limit that a person can raise. Other limits end an agent, or are reset once it continues. */
const UNITS: ReadonlyMap<string, GrantUnit> = new Map([
  ["max_turns", "turns"],
  ["max_tool_calls", "toolCalls"],
  ["max_iterations", "wakes"],
  ["max_tokens", "tokens"],
  ["max_cost_usd", "costMicroUsd"],
  ["max_active_duration", "activeMs"],
]);

/** Returns null for a limit that no grant raises. */
export function unitOf(breaker: string | null): GrantUnit | null {
  return UNITS.get(breaker ?? "") ?? null;
}

/** Returns the sum of grants, with everybody who granted; null when there is none. */
export function sumGrants(grants: readonly Grant[]): Grant | null {
  if (grants.length === 0) return null;
  return grants.reduce((sum, grant) => ({
    by: [...new Set([...sum.by, ...grant.by])],
    turns: atMostLargest(sum.turns + grant.turns),
    toolCalls: atMostLargest(sum.toolCalls + grant.toolCalls),
    wakes: atMostLargest(sum.wakes + grant.wakes),
    tokens: atMostLargest(sum.tokens + grant.tokens),
    costMicroUsd: atMostLargest(sum.costMicroUsd + grant.costMicroUsd),
    activeMs: atMostLargest(sum.activeMs + grant.activeMs),
    rounds: atMostLargest(sum.rounds + grant.rounds),
  }));
}

/** Returns the fields of a record that a grant raises. */
export function raiseLimits(agent: AgentRecord, grant: Grant): Partial<AgentRecord> {
  return {
    extraTurns: atMostLargest(agent.extraTurns + grant.turns),
    extraToolCalls: atMostLargest(agent.extraToolCalls + grant.toolCalls),
    extraWakes: atMostLargest(agent.extraWakes + grant.wakes),
    extraTokens: atMostLargest(agent.extraTokens + grant.tokens),
    extraCostMicroUsd: atMostLargest(agent.extraCostMicroUsd + grant.costMicroUsd),
    extraActiveMs: atMostLargest(agent.extraActiveMs + grant.activeMs),
  };
}

/** Returns true for a limit that was raised by half twice: then only a person's grant raises it. */
export function mustBeGranted(agent: Pick<AgentRecord, "breaker" | "extensions">): boolean {
  return agent.breaker !== null && agent.extensions >= 2;
}

/** Returns half of the limit that stopped the agent, rounded up, and nothing for the others. */
export function halfOf(breaker: string | null, limits: Limits): Grant {
  const unit = unitOf(breaker);
  if (unit === null) return NO_GRANT;
  const whole: Readonly<Record<GrantUnit, number>> = {
    turns: limits.maxTurns,
    toolCalls: limits.maxToolCalls,
    wakes: limits.maxIterations,
    tokens: limits.maxTokens,
    costMicroUsd: microUsd(limits.maxCostUsd ?? 0),
    activeMs: limits.maxActiveDurationMs,
  };
  return { ...NO_GRANT, [unit]: Math.ceil(whole[unit] / 2) };
}
