import type { Chooses } from "../../domain/agents/start-choice.ts";
import { type AskedModel, type ModelAccount, modelAccount } from "../../domain/breakers/provider-breaker.ts";
import { BUILT_IN_RUNTIME } from "../../domain/settings/runtime-section.ts";
import type { RuntimeUse } from "../../domain/settings/runtime-use.ts";
import type { EngineContext } from "../kernel/engine-context.ts";

type Given = Pick<EngineContext, "ownAccount" | "settings">;

/** Returns the models that are asked, each with the account that pays. */
export function askedModels(given: Given, use: RuntimeUse): readonly [AskedModel, ...AskedModel[]] {
  const [first, ...others] = use.models;
  const asked = ({ provider, model }: RuntimeUse["models"][0]): AskedModel => ({
    account: accountOf(given, use.runtime, provider).name,
    model,
  });
  return [asked(first), ...others.map(asked)];
}

/** Returns the name of the variable that holds the key for the agent's first model. */
export function keyVariableOf(context: Given & Pick<EngineContext, "useOf">, agent: Chooses): string {
  const { runtime, models } = context.useOf(agent);
  return accountOf(context, runtime, models[0].provider).keyVariable;
}

function accountOf(
  { ownAccount, settings: { runtime: usual, providers } }: Given,
  runtime: string,
  provider: string | null,
): ModelAccount {
  const at = provider === null ? usual.provider : providers[provider];
  // A program of the operator without a provider has its account, or none, to itself.
  const own =
    runtime === BUILT_IN_RUNTIME ? ownAccount : { name: runtime, keyVariable: `runtimes.${runtime}` };
  return modelAccount(at, own);
}
