import type { AgentRecord } from "../agents/agent-record.ts";
import type { Limits } from "./limits.ts";
import { microUsd } from "./money.ts";

/** What one agent may use over all its periods: its role's limits, and what people granted on top. */
export interface Allowance {
  readonly turns: number;
  readonly toolCalls: number;
  readonly tokens: number;
  /** Null when the limit is off. */
  readonly costMicroUsd: number | null;
  readonly activeMs: number;
  /** Wakes that count. */
  readonly wakes: number;
}

type Extras = Pick<
  AgentRecord,
  "extraTurns" | "extraToolCalls" | "extraTokens" | "extraCostMicroUsd" | "extraActiveMs" | "extraWakes"
>;

export function allowanceOf(limits: Limits, agent: Extras): Allowance {
  return {
    turns: limits.maxTurns + agent.extraTurns,
    toolCalls: limits.maxToolCalls + agent.extraToolCalls,
    tokens: limits.maxTokens + agent.extraTokens,
    costMicroUsd:
      limits.maxCostUsd === undefined ? null : microUsd(limits.maxCostUsd) + agent.extraCostMicroUsd,
    activeMs: limits.maxActiveDurationMs + agent.extraActiveMs,
    wakes: limits.maxIterations + agent.extraWakes,
  };
}
