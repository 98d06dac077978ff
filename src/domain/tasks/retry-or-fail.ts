import type { AgentEvent } from "../agents/agent-event.ts";
import type { AgentRecord } from "../agents/agent-record.ts";
import { crashDelay } from "../kernel/backoff.ts";
import type { ErrorCode } from "../kernel/error-code.ts";

/**
 * Returns the move after a failed try: another try, later each time, up to a limit. `what` and `detail` name the cause
 * of this failure alone; earlier ones in the row may have had others.
 */
export function retryOrFail(
  {
    agent,
    at,
    maxRestarts,
    curable = true,
  }: {
    readonly agent: Pick<AgentRecord, "restarts">;
    readonly at: number;
    readonly maxRestarts: number;
    /** False where a new attempt would meet the same failure. */
    readonly curable?: boolean;
  },
  { code, what, detail }: { readonly code: ErrorCode; readonly what: string; readonly detail: string },
): Extract<AgentEvent, { type: "WAIT" | "FAIL" }> {
  const base = { at, actor: "flotilla", breaker: null, code };
  const cause = `${what}: ${detail}`;
  if (agent.restarts >= maxRestarts) {
    const tries = agent.restarts + 1;
    const reason = tries === 1 ? cause : `${tries} tries in a row failed; the last time ${cause}`;
    return { ...base, type: "FAIL", reason, ...(curable ? { curable } : {}) };
  }
  const dueAt = at + crashDelay(agent.restarts);
  return { ...base, type: "WAIT", reason: "retry", dueAt, crash: true, detail: cause };
}
