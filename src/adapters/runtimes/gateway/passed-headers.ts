import type { ModelProvider } from "../../../domain/ports/agent-runtime.ts";

/** What the APIs need of an agent's headers. Others could carry a key, or let another account pay. */
const FOR_PROVIDER = ["accept", "anthropic-version", "x-session-affinity"];

/**
 * Betas of Anthropic's API that the tried agents use: about what a message may contain, and what is written of thoughts.
 * Others cost more, or give the provider tools and servers of its own.
 */
const BETAS =
  /^(?:claude-code|interleaved-thinking|context-management|mid-conversation-(?:tool-changes|system)|thinking-(?:token-count|display-updates)|redact-thinking|effort|structured-outputs|fine-grained-tool-streaming|token-efficient-tools|prompt-caching-scope|extended-cache-ttl)-\d[\d-]*$/;

/** What an agent learns of an answer. Other headers name the account, or set cookies. */
const FOR_AGENT =
  /^(?:content-type|retry-after|retry-after-ms|x-should-retry|(?:x-)?request-id|(?:x|anthropic)-ratelimit-[\w-]+)$/;

/** Returns the headers of a request as its provider gets them: with the provider's key, and no other. */
export function headersForProvider(headers: Headers, provider: ModelProvider): Headers {
  const sent = new Headers([...headers].filter(([name]) => FOR_PROVIDER.includes(name)));
  const betas = (headers.get("anthropic-beta") ?? "").split(",").map((name) => name.trim());
  const allowed = betas.filter((name) => BETAS.test(name));
  if (allowed.length > 0) sent.set("anthropic-beta", allowed.join(","));
  sent.set(...credentialOf(provider));
  sent.set("content-type", "application/json");
  sent.set("user-agent", "flotilla");
  return sent;
}

/** Returns the headers of an answer as the agent gets them. Those about encoding are left out: the body is decoded. */
export function headersForAgent(headers: Headers): Headers {
  return new Headers([...headers].filter(([name]) => FOR_AGENT.test(name)));
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
