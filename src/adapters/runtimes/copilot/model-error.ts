import { CONSEQUENCES, type ModelFailure, reasonOfStatus } from "../gateway/model-failure.ts";
import { retryAfterMs } from "../gateway/retry-after.ts";

/** The runtime's report of a model failure after its own retries. */
export interface RuntimeFailure {
  readonly errorType: string;
  readonly message: string;
  readonly statusCode?: number;
}

/**
 * Converts the failure to an end of the exchange with its consequence. An unknown failure counts as
 * unavailable, since it may pass.
 */
export function toModelError(failure: RuntimeFailure): ModelFailure {
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

/** Agents reach every provider through our local gateway. */
const GATEWAY = /https?:\/\/127\.0\.0\.1:\d+[^\s,;)"'`]*/g;
/** Sentences that name the runtime's environment variables, which nobody sets here. */
const RUNTIME_VARIABLES = /(?<![^.!?\n])[^.!?\n]*\bCOPILOT_PROVIDER_[^.!?\n]*[.!?]?/g;

/** Removes misleading parts: our internal address, and advice about the runtime's environment variables. */
function ownWords(message: string): string {
  return message.replace(GATEWAY, "the model provider").replace(RUNTIME_VARIABLES, "").trim();
}

function reasonOf({ errorType, statusCode = 0, message }: RuntimeFailure): ModelFailure["reason"] {
  if (errorType === "quota") return "quota";
  const reason = reasonOfStatus(statusCode, message);
  if (reason === "quota" || reason === "rate_limit") return reason;
  if (errorType === "rate_limit") return "rate_limit";
  if (errorType === "authentication" || errorType === "authorization") return "authentication";
  if (reason !== undefined) return reason;
  if (errorType === "context_limit") return "invalid_request";
  // The provider was reached and sent nothing: this concerns this conversation only.
  return /^no response was returned/i.test(message) ? "no_answer" : "unavailable";
}
