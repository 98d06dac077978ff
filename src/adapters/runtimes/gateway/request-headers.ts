import type { ModelProvider } from "../../../domain/ports/agent-runtime.ts";

/** Headers by which a request could bring its own key, or let another account pay. */
const CREDENTIALS = [
  "authorization",
  "x-api-key",
  "api-key",
  "x-goog-api-key",
  "proxy-authorization",
  "cookie",
  "x-goog-user-project",
  "openai-organization",
  "openai-project",
];

/** Headers about one connection, which say nothing about the next. */
const OF_CONNECTION = [
  "accept-encoding",
  "connection",
  "content-encoding",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

/** Returns the headers of a request as its provider gets them: with the provider's key, and no other. */
export function withCredential(headers: Headers, provider: ModelProvider): Headers {
  const sent = new Headers(headers);
  for (const name of [...CREDENTIALS, ...OF_CONNECTION]) sent.delete(name);
  sent.set(...credentialOf(provider));
  sent.set("content-type", "application/json");
  return sent;
}

function credentialOf({ type, apiKey }: ModelProvider): [string, string] {
  switch (type) {
    case "openai":
      return ["authorization", `Bearer ${apiKey}`];
    case "anthropic":
      return ["x-api-key", apiKey];
    case "azure":
      return ["api-key", apiKey];
    case "gemini":
      return ["x-goog-api-key", apiKey];
  }
}
