import { z } from "zod";
import { section, setting } from "../settings/keys.ts";
import { dollarLimit, dollars } from "./money.ts";

export const dayLimits = section("repository_per_day", "Limits of one repository and day.", {
  maxCostUsd: setting("max_cost_usd", dollarLimit(), {
    description: "US dollars, or `off`.",
    default: 100,
    repository: "lower",
  }),
  maxAgents: setting("max_agents", z.int().min(1), {
    description: "Agents started.",
    default: 50,
    repository: "lower",
  }),
});

const DAY_MS = 86_400_000;

/** Returns the day of a moment, counted from the epoch, in UTC. */
export function dayOf(at: number): number {
  return Math.floor(at / DAY_MS);
}

export function startOfDay(day: number): number {
  return day * DAY_MS;
}

/** What one repository has used of its day, in micro-dollars. */
export interface DayUse {
  readonly spent: number;
  /** The most that the model calls in progress, or the other working agents, can still cost. */
  readonly reserved: number;
  /** Includes what people added for this day; null when the limit is off. */
  readonly allowed: number | null;
}

/**
 * Returns true when no further model call may begin in the repository today. The call itself is not counted, so that
 * all calls together exceed the limit by one call at most, in any order of events.
 */
export function daySpent({ spent, reserved, allowed }: DayUse): boolean {
  return allowed !== null && spent + reserved >= allowed;
}

/**
 * Returns why nothing more begins today. Contains no figure that changes, so that the same refusal has the same text.
 */
export function daySpentWords(allowed: number): string {
  return `the repository's budget for today (${dollars(allowed)}) is spent or reserved`;
}

/** What is limited for a repository and day, as `circuit_breakers.repository_per_day` names it. */
export type DayLimit = "max_cost_usd" | "max_agents";

/** What a person added to a repository's limits for one day. */
export interface DayGrant {
  readonly by: string;
  readonly costMicroUsd: number;
  readonly agents: number;
}

/** Returns what ends the wait for a limit of the repository's day. */
export function raisesDay(limit: DayLimit): string {
  const amount = limit === "max_agents" ? "+N agents" : "+$N";
  return `it continues at midnight UTC, or say \`/flotilla budget ${amount} today\``;
}
