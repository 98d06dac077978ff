import type { Consequence } from "../core/errors.ts";
import type { ExchangeEnd } from "../core/ports/agent-runtime.ts";
import { retryAfterMs } from "./retry-after.ts";

type ModelError = Extract<ExchangeEnd, { kind: "model_error" }>;

/** What the runtime says when the model failed after its own retries. */
export interface RuntimeFailure {
  readonly errorType: string;
  readonly message: string;
  readonly statusCode?: number;
}

const CONSEQUENCES: Readonly<Record<ModelError["reason"], Consequence>> = {
  rate_limit: "park",
  quota: "park",
  unavailable: "park",
  no_answer: "retry",
  authentication: "tell",
  invalid_request: "stop",
};

/** The failure as an end of the exchange, with what follows from it. What is not known counts as unavailable: it may pass. */
export function toModelError(failure: RuntimeFailure): ModelError {
  const reason = reasonOf(failure);
  return {
    kind: "model_error",
    reason,
    consequence: CONSEQUENCES[reason],
    status: failure.statusCode,
    retryAfterMs: retryAfterMs(failure.message),
    detail: ownWords(failure.message),
  };
}

/** Agents reach every provider through a gateway of ours on this machine. */
const GATEWAY = /https?:\/\/127\.0\.0\.1:\d+[^\s,;)"'`]*/g;
/** A sentence that names variables of the runtime, which nobody sets here. */
const RUNTIME_VARIABLES = /(?<![^.!?\n])[^.!?\n]*\bCOPILOT_PROVIDER_[^.!?\n]*[.!?]?/g;

/** Takes out what leads people astray: our internal address, and advice about variables of the runtime. */
function ownWords(message: string): string {
  return message.replace(GATEWAY, "the model provider").replace(RUNTIME_VARIABLES, "").trim();
}

function reasonOf({ errorType, statusCode, message }: RuntimeFailure): ModelError["reason"] {
  if (statusCode === 402 || errorType === "quota" || /insufficient[_ ]quota/i.test(message)) return "quota";
  if (statusCode === 429 || errorType === "rate_limit") return "rate_limit";
  if (
    statusCode === 401 ||
    statusCode === 403 ||
    errorType === "authentication" ||
    errorType === "authorization"
  )
    return "authentication";
  if (statusCode === 408) return "unavailable";
  if ((statusCode !== undefined && statusCode >= 400 && statusCode < 500) || errorType === "context_limit")
    return "invalid_request";
  // The provider was reached and said nothing: that is this conversation's matter, not everybody's.
  return /^no response was returned/i.test(message) ? "no_answer" : "unavailable";
}
