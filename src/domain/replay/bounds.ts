import { atLevel, type Level } from "../access/level.ts";
import type { AgentRecord } from "../agents/agent-record.ts";
import { type Allowance, allowanceOf } from "../breakers/allowance.ts";
import type { Limits } from "../breakers/limits.ts";
import { dollars } from "../breakers/money.ts";
import type { EffectKind } from "../kernel/effect.ts";
import type { Difference } from "./differences.ts";

/** A value by the present configuration and by another one. */
export interface Both<T> {
  readonly present: T;
  readonly other: T;
}

/** Returns where an agent exceeded the other limits while it stayed within the present ones. */
export function limitsMet(agent: AgentRecord, limits: Both<Limits>): readonly Difference[] {
  const present = allowanceOf(limits.present, agent);
  const other = allowanceOf(limits.other, agent);
  return USES.flatMap(({ key, limit, said }) => {
    const [used, was, is] = [agent[key], present[limit], other[limit]];
    if (is === null || used <= is || (was !== null && used > was)) return [];
    const text = said(used);
    return [
      {
        what: "limit" as const,
        recorded: `${agent.name} used ${text}`,
        again: `${agent.name} is stopped at ${said(is)}`,
      },
    ];
  });
}

const minutes = (ms: number): string => `${Math.round(ms / 60_000)} minutes awake`;

const USES: readonly {
  readonly key: "turns" | "toolCalls" | "tokens" | "costMicroUsd" | "activeMs";
  readonly limit: keyof Allowance;
  readonly said: (used: number) => string;
}[] = [
  { key: "turns", limit: "turns", said: (used) => `${used} turns` },
  { key: "toolCalls", limit: "toolCalls", said: (used) => `${used} tool calls` },
  { key: "tokens", limit: "tokens", said: (used) => `${used} tokens` },
  { key: "costMicroUsd", limit: "costMicroUsd", said: dollars },
  { key: "activeMs", limit: "activeMs", said: minutes },
];

/** Returns effects that would be withheld, or done in another way, at the other level; one for each kind. */
export function levelMet(done: readonly EffectKind[], level: Both<Level>): readonly Difference[] {
  return [...Map.groupBy(done, (kind) => kind)].flatMap(([kind, all]) => {
    const [was, is] = [atLevel(level.present, kind), atLevel(level.other, kind)];
    if (was === is) return [];
    return [
      {
        what: "level" as const,
        recorded: `${all.length} × ${kind} was done at ${level.present}`,
        again: `it is ${is === "draft" ? "done as a draft" : is} at ${level.other}`,
      },
    ];
  });
}
