import type { ModelAccount } from "../domain/breakers/provider-breaker.ts";
import type { ModelProvider } from "../domain/ports/agent-runtime.ts";
import type { ConfigFile } from "../domain/settings/config-schema.ts";
import { rolesIn, type Variables, withoutEmpty } from "./environment.ts";
import { providerKeyUnset } from "./secrets-below-faults.ts";

/** How model calls are paid. */
export interface ModelAccess {
  /** That of `runtime.provider`, with its key. */
  readonly provider: ModelProvider | undefined;
  /** Those of `providers` by name, with their keys. */
  readonly providers: ReadonlyMap<string, ModelProvider>;
  /** The key of the built-in runtime's own account, set where that account pays. */
  readonly accountKey: string | undefined;
}

/**
 * Combines the providers, or the built-in runtime's own account where it pays for something, with their keys from the
 * environment, which no fault quotes. Only a process that runs agents needs the keys.
 */
export function readModelAccess(
  { runtime: { provider }, providers }: Pick<ConfigFile, "runtime" | "providers">,
  given: {
    readonly variables: Variables;
    readonly ownAccount: ModelAccount | null;
    /** Whether some agent may ask the built-in runtime's own account. */
    readonly asksOwnAccount: boolean;
    readonly file: string;
  },
): ModelAccess & { readonly faults: readonly string[] } {
  const { ownAccount: own, file } = given;
  const variables = withoutEmpty(given.variables);
  const runsAgents = rolesIn(variables).has("runner");
  const faults: string[] = [];
  const keyed = (
    { apiKeyEnv, ...endpoint }: ConfigFile["providers"][string],
    path: string,
  ): ModelProvider | undefined => {
    const apiKey = variables[apiKeyEnv];
    if (runsAgents) faults.push(...providerKeyUnset(`${file}: ${path}.api_key_env`, apiKeyEnv, apiKey));
    return apiKey === undefined ? undefined : { ...endpoint, apiKey };
  };
  const usual = provider && keyed(provider, "runtime.provider");
  const named = Object.entries(providers).flatMap(([name, one]) => {
    const withKey = keyed(one, `providers.${name}`);
    return withKey === undefined ? [] : [[name, withKey] as const];
  });
  const accountKey = given.asksOwnAccount && own !== null ? variables[own.keyVariable] : undefined;
  if (given.asksOwnAccount && own === null)
    faults.push(`${file}: runtime.provider: is missing; configure a provider with your own key.`);
  else if (given.asksOwnAccount && own !== null && runsAgents && accountKey === undefined)
    faults.push(
      `${file}: runtime.provider: is missing and ${own.keyVariable} is not set; configure a provider with your own key, or set that variable to a token of ${own.name}.`,
    );
  return { provider: usual, providers: new Map(named), accountKey, faults };
}
