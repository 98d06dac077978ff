import type { AgentSession, ExchangeEnd } from "../../../domain/ports/agent-runtime.ts";
import type { Clock } from "../../../domain/ports/clock.ts";

/** A runtime whose turn continues this long after it should have ended counts as stuck. */
export const SETTLE_MS = 10_000;

/** Why the host stops a turn. */
type Stop = "aborted" | "deadline";

/** What the state of any exchange depends on. */
export interface ExchangeHost {
  readonly clock: Pick<Clock, "after">;
  /**
   * Ends all that is left of a process, which `isGone` or does not react; returns why it is gone, or null where nobody
   * knows more.
   */
  lost(isGone: boolean): Promise<string | null>;
}

/** When an exchange is stopped; at the deadline it continues for `leftMs()` more. */
export type ExchangeOptions = Pick<Parameters<AgentSession["exchange"]>[1], "deadlineMs" | "leftMs">;

/** An exchange as its session sees it. */
export interface RunningExchange {
  /** Never rejects. */
  readonly ended: Promise<ExchangeEnd>;
  /** Stops the turn; the exchange then ends as `kind`. The first call decides. */
  abort(kind: Stop): void;
  /** Ends the exchange at once as aborted, because the process is being killed. */
  close(): void;
}

/** The state of an exchange, with its deadline and its single end. */
export interface ExchangeState extends RunningExchange {
  isOver(): boolean;
  /** Why the turn was stopped; undefined where it was not. */
  stopped(): Stop | undefined;
  /** Acts after `ms` milliseconds, unless the exchange is over by then. */
  after(ms: number, act: () => void): void;
  finish(end: ExchangeEnd): void;
  /** Ends the exchange once no process works in the worktree any more. */
  lose(end: ExchangeEnd): Promise<void>;
  /** Loses the process if the exchange is not over soon. */
  settle(end: () => ExchangeEnd): void;
}

/** `stop` stops the turn, and is called once. */
export function beginExchange(
  parts: ExchangeHost & { stop(kind: Stop): void },
  { deadlineMs, leftMs = () => 0 }: ExchangeOptions,
): ExchangeState {
  const { promise: ended, resolve } = Promise.withResolvers<ExchangeEnd>();
  const timers = new Set<() => void>();
  let isOver = false;
  let stopped: Stop | undefined;
  let losing: Promise<string | null> | undefined;

  function after(ms: number, act: () => void): void {
    const cancel = parts.clock.after(ms, () => {
      timers.delete(cancel);
      if (!isOver) act();
    });
    timers.add(cancel);
  }

  function finish(end: ExchangeEnd): void {
    if (isOver) return;
    isOver = true;
    for (const cancel of timers) cancel();
    resolve(end);
  }

  async function lose(end: ExchangeEnd): Promise<void> {
    if (isOver) return;
    // Once, since what told the cause is gone with the process's remains.
    losing ??= parts.lost(end.kind === "runtime_died");
    const why = await losing;
    finish(end.kind === "runtime_died" && why !== null ? { ...end, detail: why } : end);
  }

  function abort(kind: Stop): void {
    if (isOver || stopped !== undefined) return;
    stopped = kind;
    parts.stop(kind);
  }

  function untilDeadline(ms: number): void {
    after(ms, () => {
      const left = leftMs();
      if (left > 0) untilDeadline(left);
      else abort("deadline");
    });
  }

  untilDeadline(deadlineMs);
  return {
    ended,
    abort,
    close: () => finish({ kind: stopped ?? "aborted" }),
    isOver: () => isOver,
    stopped: () => stopped,
    after,
    finish,
    lose,
    settle: (end) => after(SETTLE_MS, () => void lose(end())),
  };
}
