import type { ExchangeEnd } from "../core/ports/agent-runtime.ts";

type ModelError = Extract<ExchangeEnd, { kind: "model_error" }>;

/** What the runtime says when the model failed after its own retries. */
export interface RuntimeFailure {
  readonly errorType: string;
  readonly message: string;
  readonly statusCode?: number;
}

/** The failure as an end of the exchange. What is not known to be our fault or a limit counts as unavailable: it may pass. */
export function toModelError(failure: RuntimeFailure): ModelError {
  return {
    kind: "model_error",
    reason: reasonOf(failure),
    status: failure.statusCode,
    detail: failure.message,
  };
}

function reasonOf({ errorType, statusCode }: RuntimeFailure): ModelError["reason"] {
  if (statusCode === 429 || statusCode === 402 || errorType === "rate_limit" || errorType === "quota")
    return "rate_limit";
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
  return "unavailable";
}
