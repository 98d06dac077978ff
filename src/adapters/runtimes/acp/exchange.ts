import { z } from "zod";
import { messageOf } from "../../../domain/kernel/errors.ts";
import type { ExchangeEnd } from "../../../domain/ports/agent-runtime.ts";
import type { Clock } from "../../../domain/ports/clock.ts";
import type { ModelFailure } from "../gateway/model-failure.ts";
import type { SessionGateway } from "../gateway/session-gateway.ts";
import { ConnectionLost } from "./connection.ts";

/** An agent whose turn continues this long after it should have ended counts as stuck. */
const SETTLE_MS = 10_000;

const answered = z.looseObject({ stopReason: z.string() });

/** The dependencies of an exchange. */
interface ExchangeParts {
  readonly clock: Pick<Clock, "after">;
  readonly gateway: Pick<SessionGateway, "begin" | "endTurn" | "failure" | "lastMessage">;
  /** Gives the agent a message; resolves with its answer at the end of its turn. */
  send(prompt: string, isFirst: boolean): Promise<unknown>;
  /** Asks the agent to end its turn. */
  cancel(): void;
  /**
   * Ends all that is left of a process, which `isGone` or does not react; returns why it is gone, or null where nobody
   * knows more.
   */
  lost(isGone: boolean): Promise<string | null>;
  /** Returns what was denied since the last call and the model has not read; null where there is nothing. */
  unread(): string | null;
}

export interface Exchange {
  readonly ended: Promise<ExchangeEnd>;
  /** Stops the turn; the exchange then ends as `kind`. The first call decides. */
  abort(kind: "aborted" | "deadline"): void;
  /** The model cannot be asked any more: the turn is over, whatever the agent makes of it. */
  refused(): void;
  /** A terminal tool succeeded: the turn is over. */
  terminal(): void;
  /** Ends the exchange at once as aborted, because the process is being killed. */
  close(): void;
}

/** Gives the agent one message and follows its turn to the end. `ended` never rejects. */
export function startExchange(
  parts: ExchangeParts,
  prompt: string,
  { deadlineMs, leftMs = () => 0 }: { readonly deadlineMs: number; readonly leftMs?: () => number },
): Exchange {
  const { gateway } = parts;
  const { promise: ended, resolve } = Promise.withResolvers<ExchangeEnd>();
  const timers = new Set<() => void>();
  let finished = false;
  let stopped: "aborted" | "deadline" | undefined;
  let isTerminal = false;
  let isEnding = false;
  let losing: Promise<string | null> | undefined;

  function after(ms: number, act: () => void): void {
    const cancel = parts.clock.after(ms, () => {
      timers.delete(cancel);
      if (!finished) act();
    });
    timers.add(cancel);
  }

  function finish(end: ExchangeEnd): void {
    if (finished) return;
    finished = true;
    for (const cancel of timers) cancel();
    resolve(end);
  }

  /** Ends the exchange only when no process works in the worktree any more. */
  async function lose(end: ExchangeEnd): Promise<void> {
    if (finished) return;
    losing ??= parts.lost(end.kind === "runtime_died");
    const why = await losing;
    finish(end.kind === "runtime_died" && why !== null ? { ...end, detail: why } : end);
  }

  const idle = (): ExchangeEnd => ({ kind: "idle", lastMessage: gateway.lastMessage() });

  /** How the exchange ends for reasons of ours, whatever the agent says; null where it is the agent's to say. */
  function decided(): ExchangeEnd | null {
    if (stopped !== undefined) return { kind: stopped };
    if (isTerminal) return idle();
    return gateway.failure();
  }

  /** Has the agent end its turn, and the process if it does not. */
  function endTurn(): void {
    if (isEnding) return;
    isEnding = true;
    parts.cancel();
    after(SETTLE_MS, () => void lose(decided() ?? { kind: "aborted" }));
  }

  async function follow(): Promise<void> {
    let message = prompt;
    for (let isFirst = true; ; isFirst = false) {
      let end: ExchangeEnd | null;
      try {
        end = decided() ?? endOf(await parts.send(message, isFirst));
      } catch (error) {
        if (error instanceof ConnectionLost) return lose({ kind: "runtime_died", detail: error.message });
        end = agentFailed(messageOf(error));
      }
      const unread = parts.unread();
      const ours = decided();
      // Some agents end their turn at a denial, without the model having read why.
      const isOver = unread === null || ours !== null || (end !== null && end.kind !== "aborted");
      if (isOver) return finish(ours ?? end ?? idle());
      message = unread;
    }
  }

  const untilDeadline = (ms: number): void => {
    after(ms, () => {
      const left = leftMs();
      if (left > 0) untilDeadline(left);
      else abort("deadline");
    });
  };

  function abort(kind: "aborted" | "deadline"): void {
    if (finished || stopped !== undefined) return;
    stopped = kind;
    gateway.endTurn();
    endTurn();
  }

  gateway.begin(prompt);
  untilDeadline(deadlineMs);
  void follow();
  return {
    ended,
    abort,
    refused: () => {
      if (!finished) endTurn();
    },
    terminal() {
      isTerminal = true;
      gateway.endTurn();
      // The agent ends by itself, since its model says nothing more.
      after(SETTLE_MS, endTurn);
    },
    close: () => finish({ kind: stopped ?? "aborted" }),
  };
}

/** Reads how the agent's turn ended; null where it has nothing more to say. */
function endOf(answer: unknown): ExchangeEnd | null {
  const { data } = answered.safeParse(answer);
  if (data === undefined) return agentFailed("its answer to session/prompt has no stop reason");
  switch (data.stopReason) {
    case "end_turn":
      return null;
    case "cancelled":
      return { kind: "aborted" };
    case "refusal":
      return invalidRequest("the model refused to continue");
    case "max_tokens":
      return invalidRequest("the model's answer was cut at its longest length");
    default:
      return invalidRequest(`the agent stopped its turn: ${data.stopReason.slice(0, 100)}`);
  }
}

function invalidRequest(detail: string): ModelFailure {
  return {
    kind: "model_error",
    reason: "invalid_request",
    consequence: "stop",
    status: undefined,
    retryAfterMs: undefined,
    detail,
  };
}

/** The agent failed and the provider did not: that concerns this conversation only. */
function agentFailed(detail: string): ModelFailure {
  return {
    kind: "model_error",
    reason: "no_answer",
    consequence: "retry",
    status: undefined,
    retryAfterMs: undefined,
    detail: `the agent failed: ${detail.slice(0, 1000)}`,
  };
}
