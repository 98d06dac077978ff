import type { Allowance } from "../breakers/allowance.ts";
import { costOf, type Price, type TokenUse } from "../breakers/money.ts";

/** What is spent, or can be: tokens in and out, and micro-dollars. */
export interface Spend {
  readonly tokens: number;
  readonly costMicroUsd: number;
}

/** The longest prompt of a model whose limit is unknown; the runtime assumes the same. */
const PROMPT_TOKENS = 128_000;
/** The longest answer that is reserved for. */
const ANSWER_TOKENS = 32_768;
/** Tokens for the host's own messages, and for the answers to denied calls. */
const HOST_TOKENS = 4_000;

/** Returns the most that one model call can cost; zero where the model has no price. */
export function maxCallCost(maxPromptTokens: number | undefined, price: Price | undefined): Spend {
  return spendOf({ inputTokens: maxPromptTokens ?? PROMPT_TOKENS, outputTokens: ANSWER_TOKENS }, price);
}

/** Returns the most that one call can cost where any of the models may answer it. */
export function dearestCall(
  terms: readonly { readonly maxPromptTokens: number | undefined; readonly price: Price | undefined }[],
): Spend {
  return terms
    .map(({ maxPromptTokens, price }) => maxCallCost(maxPromptTokens, price))
    .reduce((one, other) => ({
      tokens: Math.max(one.tokens, other.tokens),
      costMicroUsd: Math.max(one.costMicroUsd, other.costMicroUsd),
    }));
}

/** Returns the most that the call after `last` can cost when only the host's messages are added to the conversation. */
export function nextCall(last: TokenUse | null, price: Price | undefined): Spend {
  const before = last === null ? PROMPT_TOKENS : last.inputTokens + last.outputTokens;
  return spendOf({ inputTokens: before + HOST_TOKENS, outputTokens: ANSWER_TOKENS }, price);
}

function spendOf(use: Pick<TokenUse, "inputTokens" | "outputTokens">, price: Price | undefined): Spend {
  return {
    tokens: use.inputTokens + use.outputTokens,
    costMicroUsd: price === undefined ? 0 : costOf(price, { ...use, cachedTokens: 0 }),
  };
}

/** Returns the spending limit that is reached, so that no further model call may be made; null while one may. */
export function spentLimit(
  spent: Spend,
  allowed: Pick<Allowance, "tokens" | "costMicroUsd">,
): "max_tokens" | "max_cost_usd" | null {
  if (spent.tokens >= allowed.tokens) return "max_tokens";
  return allowed.costMicroUsd !== null && spent.costMicroUsd >= allowed.costMicroUsd ? "max_cost_usd" : null;
}

/**
 * Returns whether one more call may be made to wrap up after a limit: the sum must stay within the limit plus the most
 * expensive call, because the call that reached the limit exceeded it too.
 */
export function roomToWrapUp(
  spent: Spend,
  allowed: Pick<Allowance, "tokens" | "costMicroUsd">,
  calls: { readonly next: Spend; readonly dearest: Spend },
): boolean {
  const { next, dearest } = calls;
  return (
    spent.tokens + next.tokens <= allowed.tokens + dearest.tokens &&
    (allowed.costMicroUsd === null ||
      spent.costMicroUsd + next.costMicroUsd <= allowed.costMicroUsd + dearest.costMicroUsd)
  );
}
