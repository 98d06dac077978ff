import { z } from "zod";
import { bounded } from "../settings/bounded.ts";
import { duration } from "../settings/duration.ts";
import { setting, type Values } from "../settings/keys.ts";
import { dollarLimit } from "./money.ts";

/** A repository and a role file can lower each limit of an agent, and cannot raise one. */
const limit = <T extends z.ZodType>(name: string, type: T, description: string, standard: z.input<T>) =>
  setting(name, type, { description, default: standard, repository: "lower" });

/** What stops an agent that must not run on. All counts are of one agent (one attempt) and survive sleep and restart. */
export const agentLimits = {
  maxActiveDurationMs: limit("max_active_duration", duration(), "Total time in state ACTIVE.", "2h"),
  maxIterations: limit(
    "max_iterations",
    z.int().min(1),
    "Automatic wake-ups, such as by a closed blocker, checks, time or a changed base branch. Wake-ups by people do not count.",
    5,
  ),
  /** Includes those of the runtime's own tools. */
  maxToolCalls: limit("max_tool_calls", z.int().min(1), "Tool calls.", 200),
  maxTurns: limit("max_turns", z.int().min(1), "Turns: model calls with their tools.", 50),
  maxSleepDurationMs: limit(
    "max_sleep_duration",
    duration(),
    "The longest sleep; after it a person is asked.",
    "24h",
  ),
  maxTokens: limit("max_tokens", z.int().min(1), "Tokens in and out.", 2_000_000),
  /** Undefined when switched off. */
  maxCostUsd: limit("max_cost_usd", dollarLimit(), "US dollars, or `off`.", 20),
  warnAt: limit(
    "warn_at",
    z.number().gt(0).max(1),
    "Share of a limit at which the model and the log are warned.",
    0.8,
  ),
};

export type Limits = Values<typeof agentLimits>;

/** Some of the limits; the others stay as they are. */
export type LimitOverrides = Partial<Limits>;

/** `circuit_breakers`: the defaults, and what differs for a role by its name. */
export interface LimitSettings {
  /** The highest limit of turns that may be set, and the most turns that a person grants at once. */
  readonly turnCeiling: number;
  readonly defaults: Limits;
  readonly roles: ReadonlyMap<string, LimitOverrides>;
}

/**
 * Returns the limits of a role: the defaults, replaced by what `circuit_breakers.roles.<role>` says, lowered by the
 * role file's own `limits`. A role file never raises a limit, because it may come from a repository.
 */
export function limitsFor(
  settings: { readonly limits: LimitSettings },
  role: { readonly name: string; readonly limits: LimitOverrides },
): Limits {
  return lowered({ ...settings.limits.defaults, ...settings.limits.roles.get(role.name) }, role.limits);
}

/** Returns `limits` with every value of `overrides` that is lower. */
export function lowered(limits: Limits, overrides: LimitOverrides): Limits {
  return bounded(agentLimits, limits, overrides);
}
