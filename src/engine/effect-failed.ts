import { messageOf, OutsideError, RuntimeError } from "../core/errors.ts";
import type { AgentWish } from "../core/machines/agent-event.ts";
import type { AgentRecord } from "../core/machines/agent-record.ts";
import { decided, joined, NOTHING, type Reaction } from "../core/reaction.ts";
import type { EffectRow } from "../core/rows.ts";
import { agentMove } from "./settle.ts";

/** What follows from an effect that will not succeed: a decision always, and for a start the agent's end, or a question. */
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
  const base = { at, actor: "flotilla", reason, breaker: null };
  // The same as in an exchange: a key that is refused is put right by a person, and the work goes on.
  const wish: AgentWish =
    error instanceof RuntimeError && error.code === "authentication"
      ? { ...base, type: "ESCALATE", category: "provider", question: advice ?? null }
      : { ...base, type: "FAIL" };
  return joined(noted, { ...NOTHING, moves: [agentMove(agent, wish)] });
}
