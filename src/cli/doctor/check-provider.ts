import { z } from "zod";
import { nearest } from "../../config/nearest.ts";
import { allowedModels } from "../../domain/agents/start-choice.ts";
import { messageOf } from "../../domain/kernel/errors.ts";
import type { ModelProvider } from "../../domain/ports/agent-runtime.ts";
import {
  type NamedModel,
  namedModel,
  roleIn,
  runtimeNames,
  runtimeOfRole,
} from "../../domain/settings/runtime-use.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import type { Finding } from "../../server/start-checks/finding.ts";
import type { Check } from "./check.ts";

const LIMIT_MS = 5000;
const about = "model provider";

/** The part of the model lists of OpenAI, Anthropic and Azure that matters here, or of Gemini: the names. */
const listed = z.union([
  z.object({ data: z.array(z.object({ id: z.string() })) }).transform(({ data }) => data.map(({ id }) => id)),
  z
    .object({ models: z.array(z.object({ name: z.string() })) })
    .transform(({ models }) => models.map(({ name }) => name.replace(/^models\//, ""))),
]);

/**
 * Checks whether each provider answers, accepts the key and has the models that agents may have. Requests its list of
 * models, which costs nothing; finds nothing where there is no list. No finding quotes the key.
 */
export const checkProvider: Check = async ({ config }) => {
  const { secrets } = config;
  const models = modelsAsked(config);
  const asked = [
    ...(secrets.provider === undefined ? [] : [{ name: null, provider: secrets.provider }]),
    ...[...secrets.providers].map(([name, provider]) => ({ name, provider })),
  ];
  const each = await Promise.all(
    asked.map(({ name, provider }) =>
      providerFindings(provider, {
        key: name === null ? "runtime.provider" : `providers.${name}`,
        models: models.flatMap((one) => (one.provider === name ? [one.model] : [])),
      }),
    ),
  );
  return each.flat();
};

/** Returns the models that an agent of some role may have in some runtime. */
function modelsAsked(config: Settings): readonly NamedModel[] {
  const names = runtimeNames(config);
  return [...config.roles.values()]
    .flatMap((role) =>
      [...new Set([runtimeOfRole(role, config), ...names])].flatMap((name) =>
        allowedModels(roleIn(role, name, config), config),
      ),
    )
    .map((model) => namedModel(model, config));
}

async function providerFindings(
  provider: ModelProvider,
  { key, models }: { readonly key: string; readonly models: readonly string[] },
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
        `${base} cannot be reached (${text}): agents cannot call the model`,
        `Check ${key}.base_url, the network and a proxy in between`,
      ),
    ];
  if (status === 401 || status === 403)
    return [
      found(
        `${base} refuses the key (${status}): agents cannot call the model`,
        `Put a valid key into the variable that ${key}.api_key_env names`,
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
  const known = parsed.data;
  return [...new Set(models)]
    .filter((model) => !known.includes(model))
    .map((model) => unknownModel(model, known, base));
}

function unknownModel(model: string, known: readonly string[], base: string): Finding {
  const near = nearest(model, known);
  return found(
    `${base} has no model "${model}": the agents that use it would fail at once`,
    near === undefined
      ? "Correct runtime.model, the models of the runtime or the role file"
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
  if (type === "gemini") {
    const version = /\/v1(?:beta|alpha)?$/.test(base) ? "" : "/v1beta";
    return { url: `${base}${version}/models?pageSize=1000`, headers: { "x-goog-api-key": apiKey } };
  }
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
