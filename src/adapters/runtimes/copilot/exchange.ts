import type { SessionEvent } from "@github/copilot-sdk";
import { messageOf } from "../../../domain/kernel/errors.ts";
import type { ExchangeEnd } from "../../../domain/ports/agent-runtime.ts";
import type { Clock } from "../../../domain/ports/clock.ts";
import { createExchangeProgress } from "./exchange-progress.ts";
import { toModelError } from "./model-error.ts";

/** A runtime whose turn continues this long after an abort counts as stuck. */
const settleMs = 10_000;
/** How long a stopped model may wait for its background shells, which may never end (a dev server). */
export const backgroundGraceMs = 120_000;

/**
 * The dependencies of an exchange. `lost` is called when the process is dead or stuck, and ends its remains; it returns why
 * the process died, or null where nobody knows more than what the process's connection said.
 */
interface ExchangeParts {
  readonly clock: Clock;
  readonly pingEveryMs: number;
  send(prompt: string): Promise<string>;
  abort(): Promise<void>;
  ping(): Promise<unknown>;
  cancelBackground(): Promise<void>;
  lost(): Promise<string | null>;
}

export interface Exchange {
  readonly ended: Promise<ExchangeEnd>;
  see(event: SessionEvent): void;
  /** Stops the turn; the exchange then ends as `kind`. The first call decides. */
  abort(kind: "aborted" | "deadline"): void;
  /** Records that a terminal tool succeeded: background work no longer matters. */
  terminal(): void;
  /** Ends the exchange at once as aborted, because the process is being killed. */
  close(): void;
}

/** Sends one message and follows it to its end. `ended` never rejects. */
export function startExchange(
  parts: ExchangeParts,
  prompt: string,
  { deadlineMs, leftMs = () => 0 }: { readonly deadlineMs: number; readonly leftMs?: () => number },
): Exchange {
  const progress = createExchangeProgress();
  const { promise: ended, resolve } = Promise.withResolvers<ExchangeEnd>();
  const timers = new Set<() => void>();
  let finished = false;
  let stopped: "aborted" | "deadline" | undefined;
  let terminal = false;
  let losing: Promise<string | null> | undefined;
  let rest = 0;

  function after(ms: number, act: () => void): () => void {
    const cancel = parts.clock.after(ms, () => {
      timers.delete(cancel);
      if (!finished) act();
    });
    timers.add(cancel);
    return cancel;
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
    // Once, since what told the cause is gone with the process's remains.
    losing ??= parts.lost();
    const why = await losing;
    finish(end.kind === "runtime_died" && why !== null ? { ...end, detail: why } : end);
  }

  function die(detail: string): void {
    void lose({ kind: "runtime_died", detail });
  }

  function conclude(): void {
    if (stopped) finish({ kind: stopped });
    else if (progress.aborted) finish({ kind: "aborted" });
    else if (progress.failure) finish(toModelError(progress.failure));
    else finish({ kind: "idle", lastMessage: progress.lastMessage });
  }

  async function endBackground(): Promise<void> {
    // The runtime sends no session.idle after the cancellation, so the exchange ends here.
    await parts.cancelBackground();
    if (progress.stage() !== "running") conclude();
  }

  function evaluate(): void {
    if (finished) return;
    const stage = progress.stage();
    if (stage === "over") conclude();
    else if (stage === "resting") {
      rest += 1;
      const thisRest = rest;
      if (stopped || terminal || progress.failure) void endBackground();
      else
        after(backgroundGraceMs, () => {
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
    after(parts.pingEveryMs, () => {
      void ping();
      beat();
    });
  }

  async function ping(): Promise<void> {
    await parts.ping().catch((error: unknown) => die(messageOf(error)));
  }

  async function send(): Promise<void> {
    try {
      progress.accepted(await parts.send(prompt));
      evaluate();
    } catch (error) {
      die(messageOf(error));
    }
  }

  async function stopTurn(): Promise<void> {
    // An abort before the message is accepted would stop nothing; the ping detects one that fails.
    await sent;
    await parts.abort().catch(() => undefined);
  }

  function abort(kind: "aborted" | "deadline"): void {
    if (finished || stopped) return;
    stopped = kind;
    after(settleMs, () => void lose({ kind }));
    void stopTurn();
  }

  const sent = send();
  const untilDeadline = (ms: number): void => {
    after(ms, () => {
      const left = leftMs();
      if (left > 0) untilDeadline(left);
      else abort("deadline");
    });
  };
  untilDeadline(deadlineMs);
  beat();
  return {
    ended,
    abort,
    see(event) {
      progress.see(event);
      if (stopped && event.type === "assistant.turn_start") void stopTurn();
      if (event.type === "assistant.idle" || event.type === "session.idle") evaluate();
    },
    terminal: () => {
      terminal = true;
    },
    close: () => finish({ kind: stopped ?? "aborted" }),
  };
}
