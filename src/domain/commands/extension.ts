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
 * Nobody is granted more of anything, at once or in sum: a million dollars, in micro-dollars. It would say "without limit", which
 * the configuration says, and sums of much larger numbers are no whole numbers any more.
 */
export const LARGEST = 1_000_000_000_000;

export function atMostLargest(sum: number): number {
  return Math.min(sum, LARGEST);
}

/** The unit of each limit that a person can raise. The others end an agent, or are over once it continues. */
const UNITS: ReadonlyMap<string, GrantUnit> = new Map([
  ["max_turns", "turns"],
  ["max_tool_calls", "toolCalls"],
  ["max_iterations", "wakes"],
  ["max_tokens", "tokens"],
  ["max_cost_usd", "costMicroUsd"],
  ["max_active_duration", "activeMs"],
]);

/** Returns null for what no grant raises. */
export function unitOf(breaker: string | null): GrantUnit | null {
  return UNITS.get(breaker ?? "") ?? null;
}

/** Returns all of them together, and everybody who granted; null when there is none. */
export function joinedGrants(grants: readonly Grant[]): Grant | null {
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
export function raised(agent: AgentRecord, grant: Grant): Partial<AgentRecord> {
  return {
    extraTurns: atMostLargest(agent.extraTurns + grant.turns),
    extraToolCalls: atMostLargest(agent.extraToolCalls + grant.toolCalls),
    extraWakes: atMostLargest(agent.extraWakes + grant.wakes),
    extraTokens: atMostLargest(agent.extraTokens + grant.tokens),
    extraCostMicroUsd: atMostLargest(agent.extraCostMicroUsd + grant.costMicroUsd),
    extraActiveMs: atMostLargest(agent.extraActiveMs + grant.activeMs),
  };
}

/** A limit that was raised by half twice is raised by a person's grant only. */
export function mustBeGranted(agent: Pick<AgentRecord, "breaker" | "extensions">): boolean {
  return agent.breaker !== null && agent.extensions >= 2;
}

/** Half of the limit that stopped it, rounded up, and nothing of the others. */
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
