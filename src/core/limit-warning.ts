import type { Limits } from "./limits.ts";

/** What an agent has used of the limits that can be seen while it works; `allowed` includes what people granted. */
export interface Used {
  readonly turns: number;
  readonly turnsAllowed: number;
  readonly toolCalls: number;
  readonly toolCallsAllowed: number;
  readonly activeMs: number;
}

export type WarnedLimit = "max_turns" | "max_tool_calls" | "max_active_duration";

const minutes = (ms: number): number => Math.round(ms / 60_000);

/** The limits of which `warnAt` is used, each with words for the model. */
export function nearLimits(
  used: Used,
  limits: Pick<Limits, "warnAt" | "maxActiveDurationMs">,
): readonly { readonly limit: WarnedLimit; readonly words: string }[] {
  const near = (part: number, whole: number): boolean => part >= whole * limits.warnAt;
  return [
    ...(near(used.turns, used.turnsAllowed)
      ? [{ limit: "max_turns" as const, words: `${used.turns} of ${used.turnsAllowed} turns` }]
      : []),
    ...(near(used.toolCalls, used.toolCallsAllowed)
      ? [
          {
            limit: "max_tool_calls" as const,
            words: `${used.toolCalls} of ${used.toolCallsAllowed} tool calls`,
          },
        ]
      : []),
    ...(near(used.activeMs, limits.maxActiveDurationMs)
      ? [
          {
            limit: "max_active_duration" as const,
            words: `${minutes(used.activeMs)} of ${minutes(limits.maxActiveDurationMs)} minutes`,
          },
        ]
      : []),
  ];
}

/** What the model is told, once for each limit. */
export function warningText(words: readonly string[]): string {
  return `Note from the host: you have used ${words.join(" and ")}. Come to an end: commit what is good, and report.`;
}
