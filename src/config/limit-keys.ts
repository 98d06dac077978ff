import type { z } from "zod";
import type { LimitOverrides, Limits } from "../domain/breakers/limits.ts";
import type { limitOverridesSchema } from "./sections/circuit-breakers.ts";

type WrittenLimits = z.output<typeof limitOverridesSchema>;

/** How each limit is written in configuration, and what it is called in the code. */
export const LIMIT_KEYS: readonly (readonly [keyof WrittenLimits, keyof Limits])[] = [
  ["max_active_duration", "maxActiveDurationMs"],
  ["max_iterations", "maxIterations"],
  ["max_tool_calls", "maxToolCalls"],
  ["max_turns", "maxTurns"],
  ["max_sleep_duration", "maxSleepDurationMs"],
  ["max_tokens", "maxTokens"],
  ["max_cost_usd", "maxCostUsd"],
  ["warn_at", "warnAt"],
];

/** The limits that are written, and no others: `off` is a value, an absent key is not. */
export function toLimitOverrides(written: WrittenLimits): LimitOverrides {
  const entries = LIMIT_KEYS.filter(([key]) => Object.hasOwn(written, key));
  return Object.fromEntries(entries.map(([key, name]) => [name, written[key]]));
}
