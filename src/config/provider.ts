import type { ModelProvider } from "../core/ports/agent-runtime.ts";
import type { Variables } from "./environment.ts";
import type { ConfigFile } from "./schema.ts";

/** Holds the token of GitHub Copilot where no provider is configured. */
const COPILOT_TOKEN_VARIABLE = "COPILOT_GITHUB_TOKEN";

/** Who answers the model calls: a provider with its key, or GitHub Copilot with a token. Just one of them is set. */
export interface ModelAccess {
  readonly provider: ModelProvider | undefined;
  readonly copilotToken: string | undefined;
}

/** Joins `runtime.provider` with the key or token of the environment, which stand in no fault. */
export function readModelAccess(
  provider: ConfigFile["runtime"]["provider"],
  variables: Variables,
  file: string,
): ModelAccess & { readonly faults: readonly string[] } {
  if (provider === undefined) {
    const copilotToken = variables[COPILOT_TOKEN_VARIABLE];
    const fault = `${file}: runtime.provider: is missing and ${COPILOT_TOKEN_VARIABLE} is not set; configure a provider with your own key, or set that variable to a token of GitHub Copilot.`;
    return { provider: undefined, copilotToken, faults: copilotToken === undefined ? [fault] : [] };
  }
  const apiKey = variables[provider.api_key_env];
  if (apiKey === undefined) {
    const fault = `${file}: runtime.provider.api_key_env: the environment variable ${provider.api_key_env} is not set; set it to the provider's key.`;
    return { provider: undefined, copilotToken: undefined, faults: [fault] };
  }
  return {
    provider: {
      type: provider.type,
      baseUrl: provider.base_url,
      apiKey,
      wireApi: provider.wire_api,
      maxPromptTokens: provider.max_prompt_tokens,
    },
    copilotToken: undefined,
    faults: [],
  };
}
