import { isLive } from "../../domain/agents/agent-record.ts";
import { OperationError } from "../../domain/commands/operation-fault.ts";
import { OutsideError } from "../../domain/kernel/errors.ts";
import type { Clock } from "../../domain/ports/clock.ts";
import type { Store } from "../../domain/ports/store.ts";
import type { ChangeSignal } from "../kernel/change-signal.ts";
import { reach } from "./reach.ts";

export interface WaitRequest {
  readonly agent: string;
  /**
   * States of the agent (SLEEPING, COMPLETED …) or of its conversation (idle, waiting_approval …); one of
   * them is enough.
   */
  readonly states: readonly string[];
  /** Milliseconds from now. */
  readonly withinMs: number;
  readonly signal: AbortSignal;
}

export interface Waited {
  /** False when the agent ended in a state that was not asked for. */
  readonly reached: boolean;
  /** The agent's last read state. */
  readonly state: string;
  /** The conversation's last read state; `unspecified` when there is none. */
  readonly session: string;
}

/** Pause between two reads where no signal says when to read again. */
const AGAIN_MS = 1000;

/**
 * Waits until the agent or its conversation reaches one of the states. Subscribes to changes before each
 * read, so that it misses none. Throws `OperationError` wait_timeout or wait_cancelled with the last read
 * state, not_found, and any permanent failure of a read.
 */
export async function wait(
  context: {
    readonly store: Store;
    readonly clock: Clock;
    readonly changeSignal: ChangeSignal;
    /** False where other nodes may change the agent, of which no signal comes here. */
    readonly alone: boolean;
  },
  request: WaitRequest,
): Promise<Waited> {
  const until = context.clock.now() + request.withinMs;
  let last = "unknown";
  const over = Promise.withResolvers<"deadline" | "cancelled">();
  const cancelDeadline = context.clock.after(request.withinMs, () => over.resolve("deadline"));
  const onAbort = () => over.resolve("cancelled");
  request.signal.addEventListener("abort", onAbort, { once: true });
  if (request.signal.aborted) onAbort();
  try {
    for (;;) {
      const changed = context.changeSignal.next();
      const seen = await stateReached(context.store, request);
      if (seen !== null) {
        last = words(seen);
        if (seen.reached || seen.ended)
          return { reached: seen.reached, state: seen.state, session: seen.session };
      }
      const listening: Promise<"deadline" | "cancelled" | void>[] = [over.promise];
      if (seen !== null) listening.push(changed);
      if (seen === null || !context.alone) listening.push(soon(context.clock));
      const why = context.clock.now() >= until ? "deadline" : await Promise.race(listening);
      if (why === "deadline")
        throw new OperationError({ code: "wait_timeout", target: request.states, last });
      if (why === "cancelled") throw new OperationError({ code: "wait_cancelled", last });
    }
  } finally {
    cancelDeadline();
    request.signal.removeEventListener("abort", onAbort);
  }
}

interface Seen extends Waited {
  /** The agent has ended. */
  readonly ended: boolean;
}

/** Returns null when the read failed temporarily. */
async function stateReached(store: Store, { agent: key, states }: WaitRequest): Promise<Seen | null> {
  try {
    const { agent, session } = await reach(store, key);
    const conversation = session ?? "unspecified";
    const reached = states.includes(agent.state) || states.includes(conversation);
    return { reached, state: agent.state, session: conversation, ended: !isLive(agent) };
  } catch (error) {
    if (error instanceof OutsideError && error.consequence === "retry") return null;
    throw error;
  }
}

function words({ state, session }: Seen): string {
  return `${state} (${session})`;
}

async function soon(clock: Clock): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  clock.after(AGAIN_MS, resolve);
  return promise;
}
