import type { Redact } from "../../domain/access/redact.ts";
import type { AgentEvent } from "../../domain/agents/agent-event.ts";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import {
  isUnreachable,
  outsideCode,
  triesInARow,
  unreachableText,
  waitsForOutside,
} from "../../domain/agents/unreachable.ts";
import {
  type ChangeSet,
  decisionOnly,
  type Move,
  mergeChanges,
  NO_CHANGES,
} from "../../domain/kernel/change-set.ts";
import { EFFECT_WORDS } from "../../domain/kernel/effect-words.ts";
import { errorWords } from "../../domain/kernel/error-words.ts";
import { GitError, messageOf, OutsideError, RuntimeError } from "../../domain/kernel/errors.ts";
import type { EffectRow } from "../../domain/kernel/rows.ts";
import { cleanText } from "../../domain/messages/printable.ts";
import { retryOrFail } from "../../domain/tasks/retry-or-fail.ts";
import { agentMove, sessionMove } from "../kernel/advance-agent.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { CATALOG } from "./effect-catalog.ts";

/** Characters of an error message that are kept. */
const LONGEST = 1000;

/** The refresh reports what waits now, and lets other work go first. */
const ADVANCE_QUEUE = { kind: "look_at_train" } as const;

/** `tries` = how often in a row the agent could not be opened before. */
interface Failing {
  readonly at: number;
  readonly redact: Redact;
  readonly tries: number;
  readonly maxRestarts: number;
}

/** The outcome of an effect that will not succeed; `result` is what `effectFailure` reads. */
interface Failure {
  readonly state: "failed" | "skipped";
  readonly result: unknown;
  readonly changes: ChangeSet;
}

/**
 * Returns the final state of an effect that will not succeed, and what follows. An effect after which its
 * agent waits is skipped, not failed: the agent's next period has its own.
 */
export async function resultOfFailure(
  context: EngineContext,
  row: EffectRow,
  error: unknown,
): Promise<Failure> {
  const { clock, store, log, redact, settings } = context;
  const agent = row.agentId === null ? undefined : await store.records.get("agent", row.agentId);
  const changes = onEffectFailed(row, agent, error, {
    at: clock.now(),
    redact,
    tries: agent === undefined ? 0 : await countEarlierErrors(context, agent.id),
    maxRestarts: settings.retries.maxRestarts,
  });
  const waits = changes.moves.some(({ event }) => event.type === "WAIT");
  const fields = { effect: row.key, error: messageOf(error), attempts: row.attempts + 1 };
  if (waits) log.warn(fields, "session not opened: another attempt follows");
  else log.error(fields, "effect failed");
  const moves = [...changes.moves, ...(await notStopped(context, row))];
  const effects = [...changes.effects, ...(CATALOG[row.kind].givesWay === true ? [ADVANCE_QUEUE] : [])];
  const result = error instanceof OutsideError ? { code: error.code, advice: error.advice ?? null } : null;
  return { state: waits ? "skipped" : "failed", result, changes: { ...changes, moves, effects } };
}

/**
 * Fails the conversations whose process could not be stopped: nothing tries it again, and the next opening
 * restarts them.
 */
async function notStopped({ clock, store }: EngineContext, row: EffectRow): Promise<readonly Move[]> {
  if (row.kind !== "close_session" || row.agentId === null) return [];
  const stopping = await store.records.find("session", { agentId: row.agentId, state: "stopping" });
  return stopping.map((session) =>
    sessionMove(session, { type: "FAIL", at: clock.now(), actor: "flotilla" }),
  );
}

/** Returns a decision, and the move of an agent that could not be opened. */
function onEffectFailed(
  row: EffectRow,
  agent: AgentRecord | undefined,
  error: unknown,
  failing: Failing,
): ChangeSet {
  const { at, redact } = failing;
  const advice = error instanceof OutsideError ? error.advice : undefined;
  const words = error instanceof OutsideError ? error.message : errorWords(error);
  const detail = cleanText(words, redact, LONGEST);
  const reason = `${EFFECT_WORDS[row.kind]} failed: ${detail}`;
  const noted = decisionOnly("effect_failed", reason, {
    ...(advice === undefined ? {} : { change: advice }),
    ...(agent === undefined ? {} : { agentId: agent.id }),
    inputs: { effect: row.key, attempts: row.attempts + 1 },
  });
  if (isForeign(error) && agent?.state === "ACTIVE")
    return mergeChanges(noted, { ...NO_CHANGES, moves: [agentMove(agent, foreignPause(at))] });
  if (row.kind !== "open_session" || agent?.state !== "ACTIVE") return noted;
  const event = notOpened(row, agent, { error, reason, detail, advice }, failing);
  const moved = { ...NO_CHANGES, moves: [agentMove(agent, event)] };
  if (event.type !== "WAIT") return mergeChanges(noted, moved);
  return isUnreachable(error) ? mergeChanges(unreachable(agent, error, redact), moved) : moved;
}

/** Returns the event of an agent that could not be opened. */
function notOpened(
  row: EffectRow,
  agent: AgentRecord,
  {
    error,
    reason,
    detail,
    advice,
  }: { error: unknown; reason: string; detail: string; advice: string | undefined },
  { at, redact, tries, maxRestarts }: Failing,
): AgentEvent {
  const clean = (text: string) => cleanText(text, redact, LONGEST);
  // After a handoff the agent has worked before its next conversation was opened.
  const idleSince = Math.max(row.createdAt, agent.activeSince ?? at);
  if (isUnreachable(error)) return waitsForOutside(error, { at, tries, idleSince, clean });
  if (!(error instanceof OutsideError))
    return {
      ...retryOrFail(
        { agent, at, maxRestarts },
        { code: "start_failed", what: `${EFFECT_WORDS[row.kind]} failed`, detail },
      ),
    };
  const base = { at, actor: "flotilla", reason, breaker: null };
  // As in an exchange, a person corrects a rejected key, and the work continues.
  return error instanceof RuntimeError && error.code === "authentication"
    ? { ...base, type: "ESCALATE", category: "provider", question: advice ?? null }
    : { ...base, type: "FAIL", code: outsideCode(error) };
}

/** Returns the decision that names what is unreachable and says that nobody has to act. */
export function unreachable(agent: Pick<AgentRecord, "id">, error: OutsideError, redact: Redact): ChangeSet {
  const advice = error.consequence === "tell" || error.consequence === "stop" ? error.advice : undefined;
  const again = "Flotilla retries it automatically; `/flotilla retry` tries at once";
  return decisionOnly("unreachable", cleanText(unreachableText(error), redact, LONGEST), {
    agentId: agent.id,
    change: advice === undefined ? again : `${advice} ${again.replace(/^i/, "I")}`,
    inputs: { code: error.code },
  });
}

/** Returns how many errors in a row the agent has met before this one. */
export async function countEarlierErrors({ store }: EngineContext, agentId: number): Promise<number> {
  return triesInARow(await store.transitions.ofAgent(agentId));
}

/** Returns whether a push found foreign commits on the agent's branch. */
function isForeign(error: unknown): boolean {
  return error instanceof GitError && error.code === "foreign_commits";
}

function foreignPause(at: number): AgentEvent {
  const why = "its branch has commits on GitHub that somebody else pushed";
  return { type: "PAUSE", at, actor: "flotilla", holder: "commit", why };
}
