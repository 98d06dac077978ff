import type { ModelAt } from "../../../../domain/ports/agent-runtime.ts";
import type { Fault } from "./dialect.ts";

/** Returns the base address below which OpenAI's paths lie; Azure has them below one of its own. */
export function openAiBase({ provider }: ModelAt): string {
  const base = provider.baseUrl.replace(/\/+$/, "");
  return provider.type === "azure" && !base.endsWith("/openai/v1") ? `${base}/openai/v1` : base;
}

/** Writes an error as OpenAI does. */
export function openAiError({ status, code, message }: Fault & { readonly status: number }): object {
  const type = status === 429 ? "rate_limit_error" : status >= 500 ? "server_error" : "invalid_request_error";
  return { error: { message, type, param: null, code } };
}
