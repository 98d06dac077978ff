import type { Consequence } from "../../../domain/kernel/errors.ts";
import type { ExchangeEnd } from "../../../domain/ports/agent-runtime.ts";

type ModelError = Extract<ExchangeEnd, { kind: "model_error" }>;

/** The runtime's report of a model failure after its own retries. */
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

/**
 * Converts the failure to an end of the exchange with its consequence. An unknown failure counts as
 * unavailable, since it may pass.
 */
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

/** Agents reach every provider through our local gateway. */
const GATEWAY = /https?:\/\/127\.0\.0\.1:\d+[^\s,;)"'`]*/g;
/** Sentences that name the runtime's environment variables, which nobody sets here. */
const RUNTIME_VARIABLES = /(?<![^.!?\n])[^.!?\n]*\bCOPILOT_PROVIDER_[^.!?\n]*[.!?]?/g;

/** Removes misleading parts: our internal address, and advice about the runtime's environment variables. */
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
  // The provider was reached and sent nothing: this concerns this conversation only.
  return /^no response was returned/i.test(message) ? "no_answer" : "unavailable";
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Durations such as `20s`, `6m0s`, `1.5 minutes`, `2 hours`. */
const SPAN =
  /(?<!\d)(\d+(?:\.\d+)?)\s*(ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?)(?![a-z])/gi;
const INTRODUCED =
  /(?:try again in|retry (?:after|in)|retry-after:?|resets? in|available (?:again )?in|wait)\s*((?:\d+(?:\.\d+)?\s*[a-z]*\s*)+)/i;

/**
 * Returns the milliseconds until the provider's limit is over, from its message, since the runtime passes on
 * no headers; undefined when the message has none. A bare number means seconds, as in that header.
 */
export function retryAfterMs(message: string): number | undefined {
  const words = INTRODUCED.exec(message)?.[1];
  if (words === undefined) return undefined;
  const spans = [...words.matchAll(SPAN)];
  if (spans.length === 0) return Math.ceil(Number.parseFloat(words) * 1000);
  const sum = spans.reduce(
    (total, [, count, unit]) => total + Number(count) * (UNITS[shortOf(unit ?? "s")] ?? 1000),
    0,
  );
  return Math.ceil(sum);
}

function shortOf(unit: string): string {
  const lower = unit.toLowerCase();
  return lower.startsWith("ms") || lower.startsWith("milli") ? "ms" : lower.slice(0, 1);
}
