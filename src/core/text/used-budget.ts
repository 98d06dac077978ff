import { type Allowance, allowanceOf } from "../allowance.ts";
import type { Limits } from "../limits.ts";
import type { AgentRecord } from "../machines/agent-record.ts";
import { dollars } from "../money.ts";
import { duration } from "./messages.ts";

/** What an agent has used of what it may use, people's grants included: `3 of 50 turns`. */
export function usedBudget(agent: AgentRecord, limits: Limits): string {
  const may: Allowance = allowanceOf(limits, agent);
  const cost = may.costMicroUsd === null ? "" : ` of ${dollars(may.costMicroUsd)}`;
  return [
    `${agent.turns} of ${may.turns} turns`,
    `${agent.toolCalls} of ${may.toolCalls} tool calls`,
    `${count(agent.tokens)} of ${count(may.tokens)} tokens`,
    `${dollars(agent.costMicroUsd)}${cost}`,
    `${duration(agent.activeMs)} of ${duration(may.activeMs)} at work`,
    `${agent.wakes} of ${may.wakes} wakes`,
  ].join(", ");
}

/** `950`, `12k`, `1.5M`. */
function count(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  if (tokens < 1_000_000) return `${Math.floor(tokens / 1000)}k`;
  return `${Number((Math.floor(tokens / 100_000) / 10).toFixed(1))}M`;
}
