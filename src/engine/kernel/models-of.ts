import type { Price, Prices } from "../../domain/breakers/money.ts";
import type { ModelAt, ModelProvider } from "../../domain/ports/agent-runtime.ts";
import type { NamedModel, RuntimeUse } from "../../domain/settings/runtime-use.ts";
import type { EngineContext } from "./engine-context.ts";

type Given = Pick<EngineContext, "provider" | "providers" | "settings">;

/** The part of a session that says which model thinks. */
export interface SessionModels {
  readonly model: string;
  readonly sees: boolean;
  readonly provider: ModelProvider | undefined;
  readonly otherModels: readonly ModelAt[];
  readonly effort: RuntimeUse["effort"];
}

/** Returns what a session is opened with. Models without a provider stand in for nothing. */
export function sessionModels(context: Given, { models, effort }: RuntimeUse): SessionModels {
  const [{ model }, ...others] = models;
  const { vision } = context.settings.runtime;
  return {
    model,
    sees: models.every((one) => vision.includes(one.model)),
    provider: providerOf(context, models[0]),
    otherModels: others.flatMap((one) => {
      const provider = providerOf(context, one);
      return provider === undefined ? [] : [{ provider, model: one.model }];
    }),
    effort,
  };
}

function providerOf(
  { provider: usual, providers }: Pick<Given, "provider" | "providers">,
  { provider }: NamedModel,
): ModelProvider | undefined {
  return provider === null ? usual : providers.get(provider);
}

/** The longest prompt that a model takes, in tokens, and its price; undefined where nobody says. */
interface CallTerms {
  readonly maxPromptTokens: number | undefined;
  readonly price: Price | undefined;
}

/** Returns the terms of one call to each of the models. */
export function callTerms(context: Given, { models }: RuntimeUse): readonly CallTerms[] {
  return models.map((one) => ({
    maxPromptTokens: providerOf(context, one)?.maxPromptTokens,
    price: context.settings.runtime.prices.get(one.model),
  }));
}

/**
 * Returns the price of a call that was answered by `reported`, the provider's own name of one of the models, which may be
 * longer than ours (`gpt-4.1-2025-04-14`). `answering` = the model that is asked at present.
 */
export function priceReported(
  prices: Prices,
  { reported, models, answering }: { reported: string; models: readonly NamedModel[]; answering: string },
): Price | undefined {
  const meant = models
    .map(({ model }) => model)
    .filter((model) => reported.startsWith(model))
    .toSorted((one, other) => other.length - one.length)[0];
  return prices.get(reported) ?? prices.get(meant ?? answering);
}
