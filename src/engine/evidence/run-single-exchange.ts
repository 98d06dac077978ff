import { messageOf } from "../../domain/kernel/errors.ts";
import type {
  AgentRuntime,
  AgentSession,
  ExchangeEnd,
  SessionSpec,
} from "../../domain/ports/agent-runtime.ts";
import type { Log } from "../../domain/ports/log.ts";

/**
 * Runs a conversation of a single exchange. Its process has ended and its conversation is deleted when this
 * resolves; it never rejects. `signal` ends it at once. `mayGoOn` is called as each turn begins.
 */
export async function runSingleExchange(
  { runtime, log }: { readonly runtime: AgentRuntime; readonly log: Log },
  spec: SessionSpec,
  asked: {
    readonly request: string;
    readonly deadlineMs: number;
    readonly signal: AbortSignal;
    readonly mayGoOn: () => boolean;
  },
): Promise<ExchangeEnd> {
  const { signal } = asked;
  let session: AgentSession | undefined;
  const interrupt = (): void => {
    session?.interrupt().catch((error: unknown) => {
      log.warn({ error: messageOf(error), session: spec.sessionId }, "session not interrupted");
    });
  };
  // A stopping host has no time to wait for the exchange.
  const stop = (): void => {
    interrupt();
    void session?.stop();
  };
  try {
    // Remains of an earlier process would mix with this conversation.
    await runtime.destroy(spec);
    session = await runtime.open({
      ...spec,
      onEvent: (event) => {
        if (event.type === "turn_started" && !asked.mayGoOn()) interrupt();
        else spec.onEvent(event);
      },
    });
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) return { kind: "aborted" };
    return await session.exchange(asked.request, { deadlineMs: asked.deadlineMs });
  } catch (error) {
    return { kind: "runtime_died", detail: messageOf(error) };
  } finally {
    signal.removeEventListener("abort", stop);
    await session?.stop();
    await runtime.destroy(spec).catch((error: unknown) => {
      log.warn({ error: messageOf(error), session: spec.sessionId }, "session not deleted");
    });
  }
}
