import { z } from "zod";
import { COUNTED_WAKES, type WakeReason } from "../agents/agent-record.ts";
import { section, setting, type Values } from "../settings/keys.ts";

export const stormLimits = section("storm", "Limits on how many agents are started.", {
  maxStartsPerIssuePerHour: setting("max_starts_per_issue_per_hour", z.int().min(1), {
    description: "Starts of one issue in an hour.",
    default: 6,
    repository: "lower",
  }),
  maxDepth: setting("max_depth", z.int().min(0), {
    description: "How many levels deep agents may start agents.",
    default: 2,
    repository: "lower",
  }),
  maxFanOut: setting("max_fan_out", z.int().min(0), {
    description: "Agents that one agent starts.",
    default: 3,
    repository: "lower",
  }),
});

export type StormLimits = Values<typeof stormLimits.keys>;

export const HOUR_MS = 3_600_000;

/** The facts that limit the creation of an agent. */
export interface CreationFacts {
  /** Agents of the issue that started within the last hour. */
  readonly starts: number;
  /** Number of agents above it in the chain of creation: 0 for one that a person started. */
  readonly depth: number;
  /** Agents that its parent has already created. */
  readonly siblings: number;
}

/** Returns why no agent may be created now, in words; null when one may. */
export function creationLimit(facts: CreationFacts, limits: StormLimits): string | null {
  if (facts.starts >= limits.maxStartsPerIssuePerHour)
    return `${facts.starts} agents were started on this issue within an hour (max_starts_per_issue_per_hour)`;
  if (facts.depth > limits.maxDepth)
    return `it would be level ${facts.depth} of agents started by agents (max_depth ${limits.maxDepth})`;
  if (facts.depth > 0 && facts.siblings >= limits.maxFanOut)
    return `its parent has already started ${facts.siblings} agents (max_fan_out)`;
  return null;
}

/** Why an agent is woken. */
interface Cause {
  readonly reason: WakeReason;
  readonly detail: string;
}

/** Periods in a row with the same cause that may pass without a change; the next one needs a person. */
const IDLE_PERIODS = 2;

/**
 * Returns true when each pending wake and each of the last two that were delivered has the same reason and the same
 * text. The caller checks that the periods since changed nothing. Only wakes that use up an iteration count: a person's
 * act is always new.
 */
export function isRepeatedWake(facts: {
  readonly pending: readonly Cause[];
  /** Oldest first. */
  readonly delivered: readonly Cause[];
}): boolean {
  const [first] = facts.pending;
  const last = facts.delivered.slice(-IDLE_PERIODS);
  if (first === undefined || last.length < IDLE_PERIODS) return false;
  return [...facts.pending, ...last].every(
    (wake) =>
      COUNTED_WAKES.includes(wake.reason) && wake.reason === first.reason && wake.detail === first.detail,
  );
}
