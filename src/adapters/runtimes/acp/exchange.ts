import { z } from "zod";
import { messageOf } from "../../../domain/kernel/errors.ts";
import type { ExchangeEnd } from "../../../domain/ports/agent-runtime.ts";
import type { ModelFailure } from "../gateway/model-failure.ts";
import type { SessionGateway } from "../gateway/session-gateway.ts";
import {
  beginExchange,
  type ExchangeHost,
  type ExchangeOptions,
  type RunningExchange,
  SETTLE_MS,
} from "../process/exchange-state.ts";
import { ConnectionLost } from "./connection.ts";

const answered = z.looseObject({ stopReason: z.string() });

interface ExchangeParts extends ExchangeHost {
  readonly gateway: Pick<SessionGateway, "begin" | "endTurn" | "failure" | "lastMessage">;
  /** The agent takes back a cancelled turn: it is only cancelled where nothing else ends it. */
  readonly takesBack: boolean;
  /** Gives the agent a message; resolves with its answer at the end of its turn. */
  send(prompt: string, isFirst: boolean): Promise<unknown>;
  /** Asks the agent to end its turn. */
  cancel(): void;
  /** Returns what was denied since the last call and the model has not read; null where there is nothing. */
  unread(): string | null;
}

export interface Exchange extends RunningExchange {
  /** Whether the agent has been told to end its turn. */
  isEnding(): boolean;
  /** The model cannot be asked any more: the turn is over, whatever the agent makes of it. */
  refused(): void;
  /** A terminal tool succeeded: the turn is over. */
  terminal(): void;
}

/** Gives the agent one message and follows its turn to the end. */
export function startExchange(parts: ExchangeParts, prompt: string, options: ExchangeOptions): Exchange {
  const { gateway } = parts;
  let isTerminal = false;
  let isEnding = false;
  const state = beginExchange(
    {
      ...parts,
      stop() {
        if (gateway.endTurn()) endsItself();
        else endTurn();
      },
    },
    options,
  );

  const idle = (): ExchangeEnd => ({ kind: "idle", lastMessage: gateway.lastMessage() });

  /** How the exchange ends for reasons of ours, whatever the agent says; null where it is the agent's to say. */
  function decided(): ExchangeEnd | null {
    const stopped = state.stopped();
    if (stopped !== undefined) return { kind: stopped };
    if (isTerminal) return idle();
    return gateway.failure();
  }

  /** Has the agent end its turn, and the process if it does not. */
  function endTurn(): void {
    if (isEnding) return;
    isEnding = true;
    parts.cancel();
    state.settle(() => decided() ?? { kind: "aborted" });
  }

  const endsItself = (): void => state.after(SETTLE_MS, endTurn);

  async function follow(): Promise<void> {
    let message = prompt;
    for (let isFirst = true; ; isFirst = false) {
      let end: ExchangeEnd | null;
      try {
        end = decided() ?? endOf(await parts.send(message, isFirst));
      } catch (error) {
        if (error instanceof ConnectionLost)
          return state.lose({ kind: "runtime_died", detail: error.message });
        end = agentFailed(messageOf(error));
      }
      const unread = parts.unread();
      const ours = decided();
      // Some agents end their turn at a denial, without the model having read why.
      const isOver = unread === null || ours !== null || (end !== null && end.kind !== "aborted");
      if (isOver) return state.finish(ours ?? end ?? idle());
      message = unread;
    }
  }

  gateway.begin(prompt);
  void follow();
  return {
    ...state,
    isEnding: () => isEnding,
    refused: () => {
      if (state.isOver()) return;
      if (parts.takesBack) endsItself();
      else endTurn();
    },
    terminal() {
      isTerminal = true;
      gateway.endTurn();
      // Its model says nothing more.
      endsItself();
    },
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
