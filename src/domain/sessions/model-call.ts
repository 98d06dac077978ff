import type { Allowance } from "../breakers/allowance.ts";
import { costOf, type Price, type TokenUse } from "../breakers/money.ts";

/** What is spent, or can be: tokens in and out, and micro-dollars. */
export interface Spend {
  readonly tokens: number;
  readonly costMicroUsd: number;
}

/** Longest prompt of a model of which nothing else is known; what the runtime assumes too. */
const PROMPT_TOKENS = 128_000;
/** Longest answer that is reckoned with. */
const ANSWER_TOKENS = 32_768;
/** Room for what the host says itself, and for the answers to denied calls. */
const HOST_TOKENS = 4_000;

/** What one model call can come to at most; costs nothing where the model has no price. */
export function maxCallCost(maxPromptTokens: number | undefined, price: Price | undefined): Spend {
  return spendOf({ inputTokens: maxPromptTokens ?? PROMPT_TOKENS, outputTokens: ANSWER_TOKENS }, price);
}

/** What the call after `last` can come to at most when only the host's words are added to the conversation. */
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

/** Returns the limit of spending that is reached, so that no more model call may be made; null while one may. */
export function spentLimit(
  spent: Spend,
  allowed: Pick<Allowance, "tokens" | "costMicroUsd">,
): "max_tokens" | "max_cost_usd" | null {
  if (spent.tokens >= allowed.tokens) return "max_tokens";
  return allowed.costMicroUsd !== null && spent.costMicroUsd >= allowed.costMicroUsd ? "max_cost_usd" : null;
}

/**
 * After a limit one more call is made to wrap up, but only where all of it together stays within the limit and the
 * dearest call: the call that reached the limit went past it too.
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
