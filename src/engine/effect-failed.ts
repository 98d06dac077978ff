import { messageOf, OutsideError } from "../core/errors.ts";
import type { AgentRecord } from "../core/machines/agent-record.ts";
import { decided, joined, NOTHING, type Reaction } from "../core/reaction.ts";
import type { EffectRow } from "../core/rows.ts";
import { agentMove } from "./settle.ts";

/** What follows from an effect that will not succeed: a decision always, and for a start that failed the agent's end. */
export function onEffectFailed(
  row: EffectRow,
  agent: AgentRecord | undefined,
  error: unknown,
  at: number,
): Reaction {
  const advice = error instanceof OutsideError ? error.advice : undefined;
  const reason = `${row.kind} failed: ${messageOf(error)}`;
  const noted = decided("effect_failed", reason, {
    ...(advice === undefined ? {} : { change: advice }),
    ...(agent === undefined ? {} : { agentId: agent.id }),
    inputs: { effect: row.key, attempts: row.attempts + 1 },
  });
  if (row.kind !== "open_session" || agent?.state !== "ACTIVE") return noted;
  return joined(noted, {
    ...NOTHING,
    moves: [agentMove(agent, { type: "FAIL", at, actor: "flotilla", reason, breaker: null })],
  });
}
