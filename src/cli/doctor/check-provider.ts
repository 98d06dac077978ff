import { z } from "zod";
import { nearest } from "../../config/nearest.ts";
import { messageOf } from "../../domain/kernel/errors.ts";
import type { ModelProvider } from "../../domain/ports/agent-runtime.ts";
import type { Finding } from "../../server/start-checks/finding.ts";
import type { Check } from "./check.ts";

const LIMIT_MS = 5000;
const about = "model provider";

/** The part of the model lists of OpenAI, Anthropic and Azure that matters here. */
const listed = z.object({ data: z.array(z.object({ id: z.string() })) });

/**
 * Checks whether the provider answers, accepts the key and has the models of all roles. Requests its list of
 * models, which costs nothing; finds nothing where there is no list. No finding quotes the key.
 */
export const checkProvider: Check = async ({ config: { secrets, roles, runtime } }) => {
  const models = [...[...roles.values()].map(({ model }) => model ?? runtime.model), ...runtime.models];
  return secrets.provider === undefined ? [] : providerFindings(secrets.provider, models);
};

async function providerFindings(
  provider: ModelProvider,
  models: readonly string[],
): Promise<readonly Finding[]> {
  const { url, headers } = listOf(provider);
  const answer = await fetch(url, { headers, redirect: "manual", signal: AbortSignal.timeout(LIMIT_MS) })
    .then(async (response) => ({ status: response.status, text: await response.text() }))
    .catch((error: unknown) => ({ status: 0, text: reasonOf(error) }));
  const { status, text } = answer;
  const base = provider.baseUrl;
  if (status === 0)
    return [
      found(
        `${base} cannot be reached (${text}): no agent could think`,
        "Check runtime.provider.base_url, the network and a proxy in between",
      ),
    ];
  if (status === 401 || status === 403)
    return [
      found(
        `${base} refuses the key (${status}): no agent could think`,
        "Put a valid key into the variable that runtime.provider.api_key_env names",
      ),
    ];
  if (status >= 500)
    return [
      found(
        `${base} answers ${status}: agents wait until it does not`,
        "See the status page of the provider",
      ),
    ];
  const parsed = status === 200 ? listed.safeParse(jsonOf(text)) : undefined;
  if (parsed?.success !== true) return [];
  const known = parsed.data.data.map(({ id }) => id);
  return [...new Set(models)]
    .filter((model) => !known.includes(model))
    .map((model) => unknownModel(model, known, base));
}

function unknownModel(model: string, known: readonly string[], base: string): Finding {
  const near = nearest(model, known);
  return found(
    `${base} has no model "${model}": the agents that use it would fail at once`,
    near === undefined
      ? "Correct runtime.model, runtime.models or the role file"
      : `Write "${near}", if that is meant`,
  );
}

function found(what: string, next: string): Finding {
  return { about, what, next };
}

function listOf({ type, baseUrl, apiKey }: ModelProvider): {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
} {
  const base = baseUrl.replace(/\/+$/, "");
  if (type === "azure")
    return { url: `${base}/openai/models?api-version=2024-10-21`, headers: { "api-key": apiKey } };
  if (type === "anthropic")
    return {
      url: `${base.replace(/\/v1$/, "")}/v1/models?limit=1000`,
      headers: { "x-api-key": apiKey, "anthropic-version": "2023-06-01" },
    };
  return { url: `${base}/models`, headers: { authorization: `Bearer ${apiKey}` } };
}

/** Returns the reason that fetch hides in the error's cause. */
function reasonOf(error: unknown): string {
  return error instanceof Error && error.cause instanceof Error ? messageOf(error.cause) : messageOf(error);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
