import type { ModelProvider } from "../../../../domain/ports/agent-runtime.ts";
import { anthropic } from "./anthropic.ts";
import { chat } from "./chat.ts";
import type { Dialect } from "./dialect.ts";
import { gemini } from "./gemini.ts";
import { responses } from "./responses.ts";

/** Returns the API that the provider speaks. */
export function dialectOf({ type, wireApi }: Pick<ModelProvider, "type" | "wireApi">): Dialect {
  if (type === "anthropic") return anthropic;
  if (type === "gemini") return gemini;
  return wireApi === "responses" ? responses : chat;
}

/** Returns the API of a call's path, where providers offer several below one address. */
export function dialectAt(pathname: string, provider: Pick<ModelProvider, "type" | "wireApi">): Dialect {
  if (pathname.endsWith("/chat/completions")) return chat;
  if (pathname.endsWith("/responses")) return responses;
  return pathname.endsWith("/messages") ? anthropic : dialectOf(provider);
}
