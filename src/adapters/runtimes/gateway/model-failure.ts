import type { Consequence } from "../../../domain/kernel/errors.ts";
import type { ExchangeEnd } from "../../../domain/ports/agent-runtime.ts";

export type ModelFailure = Extract<ExchangeEnd, { kind: "model_error" }>;

export const CONSEQUENCES: Readonly<Record<ModelFailure["reason"], Consequence>> = {
  rate_limit: "park",
  quota: "park",
  unavailable: "park",
  no_answer: "retry",
  authentication: "tell",
  invalid_request: "stop",
};

/** Returns the reason behind the status of an error; undefined where only its words could tell. */
export function reasonOfStatus(status: number, message: string): ModelFailure["reason"] | undefined {
  if (status === 402 || /insufficient[_ ]quota/i.test(message)) return "quota";
  if (status === 429) return "rate_limit";
  if (status === 401 || status === 403) return "authentication";
  if (status === 408) return "unavailable";
  return status >= 400 && status < 500 ? "invalid_request" : undefined;
}
