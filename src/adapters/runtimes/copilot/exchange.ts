import type { SessionEvent } from "@github/copilot-sdk";
import { messageOf } from "../../../domain/kernel/errors.ts";
import {
  beginExchange,
  type ExchangeHost,
  type ExchangeOptions,
  type RunningExchange,
} from "../process/exchange-state.ts";
import { createExchangeProgress } from "./exchange-progress.ts";
import { toModelError } from "./model-error.ts";

/** How long a stopped model may wait for its background shells, which may never end (a dev server). */
export const backgroundGraceMs = 120_000;

interface ExchangeParts extends ExchangeHost {
  readonly pingEveryMs: number;
  send(prompt: string): Promise<string>;
  abort(): Promise<void>;
  ping(): Promise<unknown>;
  cancelBackground(): Promise<void>;
}

export interface Exchange extends RunningExchange {
  see(event: SessionEvent): void;
  /** Records that a terminal tool succeeded: background work no longer matters. */
  terminal(): void;
}

/** Sends one message and follows it to its end. */
export function startExchange(parts: ExchangeParts, prompt: string, options: ExchangeOptions): Exchange {
  const progress = createExchangeProgress();
  let terminal = false;
  let rest = 0;
  const state = beginExchange(
    {
      ...parts,
      stop(kind) {
        state.settle(() => ({ kind }));
        void stopTurn();
      },
    },
    options,
  );

  function die(error: unknown): void {
    void state.lose({ kind: "runtime_died", detail: messageOf(error) });
  }

  function conclude(): void {
    const stopped = state.stopped();
    if (stopped) state.finish({ kind: stopped });
    else if (progress.aborted) state.finish({ kind: "aborted" });
    else if (progress.failure) state.finish(toModelError(progress.failure));
    else state.finish({ kind: "idle", lastMessage: progress.lastMessage });
  }

  async function endBackground(): Promise<void> {
    // The runtime sends no session.idle after the cancellation, so the exchange ends here.
    await parts.cancelBackground();
    if (progress.stage() !== "running") conclude();
  }

  function evaluate(): void {
    if (state.isOver()) return;
    const stage = progress.stage();
    if (stage === "over") conclude();
    else if (stage === "resting") {
      rest += 1;
      const thisRest = rest;
      if (state.stopped() || terminal || progress.failure) void endBackground();
      else
        state.after(backgroundGraceMs, () => {
          if (rest === thisRest && progress.stage() === "resting") void endBackground();
        });
    }
  }

  /**
   * Pings the process. A refused ping means that it is gone; an unanswered one proves nothing, because a slow
   * process is not dead (`probe` detects those). Pings do not wait for one another: one pending at the
   * process's death is never answered, the next one fails.
   */
  function beat(): void {
    state.after(parts.pingEveryMs, () => {
      void parts.ping().catch(die);
      beat();
    });
  }

  async function send(): Promise<void> {
    try {
      progress.accepted(await parts.send(prompt));
      evaluate();
    } catch (error) {
      die(error);
    }
  }

  async function stopTurn(): Promise<void> {
    // An abort before the message is accepted would stop nothing; the ping detects one that fails.
    await sent;
    await parts.abort().catch(() => undefined);
  }

  const sent = send();
  beat();
  return {
    ...state,
    see(event) {
      progress.see(event);
      if (state.stopped() && event.type === "assistant.turn_start") void stopTurn();
      if (event.type === "assistant.idle" || event.type === "session.idle") evaluate();
    },
    terminal: () => {
      terminal = true;
    },
  };
}
