import type { Allowance } from "./allowance.ts";
import { dollars } from "./money.ts";

/** What an agent has used up of its allowance. */
export type Used = { readonly [Unit in keyof Allowance]: number };

export interface NearLimit {
  readonly limit: string;
  /** Identifies the limit with its present value: one that a person raises later is warned of again. */
  readonly key: string;
  /** For the model: `40 of 50 turns`. */
  readonly words: string;
}

const plain = (unit: string) => (used: number, whole: number) =>
  `${used.toLocaleString("en")} of ${whole.toLocaleString("en")} ${unit}`;
const minutes = (ms: number): number => Math.round(ms / 60_000);

/** The name of each limit in the configuration, and how its use reads. */
const LIMITS: readonly (readonly [keyof Allowance, string, (used: number, whole: number) => string])[] = [
  ["turns", "max_turns", plain("turns")],
  ["toolCalls", "max_tool_calls", plain("tool calls")],
  ["tokens", "max_tokens", plain("tokens")],
  ["costMicroUsd", "max_cost_usd", (used, whole) => `${dollars(used)} of ${dollars(whole)}`],
  ["wakes", "max_iterations", plain("wakes")],
  [
    "activeMs",
    "max_active_duration",
    (used, whole) => `${minutes(used)} of ${minutes(whole)} minutes of working time`,
  ],
];

/** Returns the limits whose used share has reached `warnAt` (0 to 1). */
export function nearLimits(used: Used, allowed: Allowance, warnAt: number): readonly NearLimit[] {
  return LIMITS.flatMap(([unit, limit, words]) => {
    const whole = allowed[unit];
    if (whole === null || used[unit] < whole * warnAt) return [];
    return [{ limit, key: `${limit}:${whole}`, words: words(used[unit], whole) }];
  });
}

/**
 * Returns the warning for the time to live once the share `warnAt` is over; that time runs while the agent waits, too.
 */
export function nearTtl(
  { createdAt, ttlMs }: { readonly createdAt: number; readonly ttlMs: number | null },
  at: number,
  warnAt: number,
): readonly NearLimit[] {
  if (ttlMs === null || at - createdAt < ttlMs * warnAt) return [];
  const words = `${minutes(at - createdAt)} of ${minutes(ttlMs)} minutes of your time to live`;
  return [{ limit: "ttl", key: `ttl:${ttlMs}`, words }];
}

/** Returns all that is used, in words for the comment at a limit. */
export function usedWords(used: Used, allowed: Allowance): string {
  const cost =
    allowed.costMicroUsd === null
      ? ""
      : `, ${dollars(used.costMicroUsd)} of ${dollars(allowed.costMicroUsd)}`;
  return `${plain("turns")(used.turns, allowed.turns)} and ${plain("tool calls")(used.toolCalls, allowed.toolCalls)} are used, ${plain("tokens")(used.tokens, allowed.tokens)}${cost}`;
}

/** Returns what is left of each limit, in words for the model. */
export function leftWords(used: Used, allowed: Allowance): string {
  return LIMITS.flatMap(([unit, , words]) => {
    const whole = allowed[unit];
    return whole === null ? [] : [words(Math.max(0, whole - used[unit]), whole)];
  }).join(", ");
}

/** Returns the warning to the model, sent once for each limit. */
export function warningText(words: readonly string[]): string {
  return `Note from the host: you have used ${words.join(" and ")}. Come to an end: commit what is good, and report.`;
}
