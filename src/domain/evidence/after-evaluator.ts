import type { AgentEvent } from "../agents/agent-event.ts";
import type { AgentRecord } from "../agents/agent-record.ts";
import { NO_REPLANNER } from "../planning/replanning.ts";
import type { ExchangeEnd } from "../ports/agent-runtime.ts";
import { afterExchange, type InnerBreaker } from "../sessions/exchange.ts";

/**
 * How the call of an evaluator ended. evaluated = its result is kept; cut_off = the agent's period ends; limit = the
 * agent or its repository has reached a limit, or the provider is unavailable; refused = the provider refused the call;
 * silent = it gave no evaluation, after all retries.
 */
export type EvaluatorEnd =
  | { readonly kind: "evaluated" }
  | { readonly kind: "cut_off" }
  | { readonly kind: "limit"; readonly limit: InnerBreaker }
  | { readonly kind: "refused"; readonly end: Extract<ExchangeEnd, { kind: "model_error" }> }
  | { readonly kind: "silent"; readonly detail: string };

/** As in `ExchangeFacts`. */
interface Facts {
  readonly at: number;
  readonly agent: AgentRecord;
  readonly providerAt: number;
  readonly idleSince: number;
  readonly used: string;
  readonly keyVariable: string;
}

/**
 * Returns the move of the agent whose claim was not evaluated; its claim stays recorded. Null where nothing follows.
 */
export function afterEvaluator(ended: EvaluatorEnd, facts: Facts): AgentEvent | null {
  switch (ended.kind) {
    case "evaluated":
    case "cut_off":
      return null;
    case "limit":
      return asInAnExchange(facts, { end: { kind: "aborted" }, breaker: ended.limit });
    case "refused":
      return asInAnExchange(facts, { end: ended.end, breaker: null });
    case "silent":
      return {
        type: "ESCALATE",
        at: facts.at,
        actor: "flotilla",
        reason: `its work is in order as far as the host can see, but the evaluator did not answer: ${ended.detail}`,
        category: "evaluator",
        question:
          "Please look at the work: `/flotilla resume` asks the evaluator again, `/flotilla complete` takes it as it is.",
        breaker: null,
      };
  }
}

/**
 * Returns the move for an evaluator's call that a limit ended, as in the agent's own exchange: the agent pays for the
 * call.
 */
function asInAnExchange(
  facts: Facts,
  { end, breaker }: { readonly end: ExchangeEnd; readonly breaker: InnerBreaker | null },
): AgentEvent | null {
  const after = afterExchange({
    ...facts,
    end,
    breaker,
    intent: null,
    blocker: null,
    replanner: NO_REPLANNER,
    wrapUp: null,
    room: false,
    pending: false,
    maxRestarts: 0,
  });
  return after.next === "move" ? after.event : null;
}
