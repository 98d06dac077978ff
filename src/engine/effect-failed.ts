import { EFFECT_WORDS } from "../core/effect-words.ts";
import { GitError, OutsideError, RuntimeError } from "../core/errors.ts";
import type { AgentWish } from "../core/machines/agent-event.ts";
import type { AgentRecord } from "../core/machines/agent-record.ts";
import { decided, joined, NOTHING, type Reaction } from "../core/reaction.ts";
import type { EffectRow } from "../core/rows.ts";
import { cleanText } from "../core/text/clean.ts";
import { errorWords } from "../core/text/error-words.ts";
import type { Redact } from "../core/text/redact.ts";
import { agentMove } from "./settle.ts";

/** Longer messages are cut. */
const LONGEST = 1000;

/** What follows from an effect that will not succeed: a decision always, and for a start the agent's end, or a question. */
export function onEffectFailed(
  row: EffectRow,
  agent: AgentRecord | undefined,
  error: unknown,
  { at, redact }: { readonly at: number; readonly redact: Redact },
): Reaction {
  const advice = error instanceof OutsideError ? error.advice : undefined;
  const words = error instanceof OutsideError ? error.message : errorWords(error);
  const reason = `${EFFECT_WORDS[row.kind]} failed: ${cleanText(words, redact, LONGEST)}`;
  const noted = decided("effect_failed", reason, {
    ...(advice === undefined ? {} : { change: advice }),
    ...(agent === undefined ? {} : { agentId: agent.id }),
    inputs: { effect: row.key, attempts: row.attempts + 1 },
  });
  if (isForeign(error) && agent?.state === "ACTIVE")
    return joined(noted, { ...NOTHING, moves: [agentMove(agent, foreignPause(at))] });
  if (row.kind !== "open_session" || agent?.state !== "ACTIVE") return noted;
  const base = { at, actor: "flotilla", reason, breaker: null };
  // The same as in an exchange: a key that is refused is put right by a person, and the work goes on.
  const wish: AgentWish =
    error instanceof RuntimeError && error.code === "authentication"
      ? { ...base, type: "ESCALATE", category: "provider", question: advice ?? null }
      : { ...base, type: "FAIL" };
  return joined(noted, { ...NOTHING, moves: [agentMove(agent, wish)] });
}

/** A push found commits on the agent's branch that are not ours. */
function isForeign(error: unknown): boolean {
  return error instanceof GitError && error.code === "foreign_commits";
}

function foreignPause(at: number): AgentWish {
  const why = "its branch has commits on GitHub that somebody else pushed";
  return { type: "PAUSE", at, actor: "flotilla", holder: "commit", why };
}
