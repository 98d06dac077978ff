import { z } from "zod";

/** Prices of one model in micro-dollars per million tokens, so that all sums are whole numbers. */
export interface Price {
  /** Prompt tokens that were not in the provider's cache. */
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

export type Prices = ReadonlyMap<string, Price>;

/** Tokens of one model call. `cachedTokens` are among `inputTokens`. */
export interface TokenUse {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
}

const MILLION = 1_000_000;

/** US dollars as whole micro-dollars. */
export function microUsd(usd: number): number {
  return Math.round(usd * MILLION);
}

/** What a call costs in micro-dollars, rounded up: never less than was spent, and less than one micro-dollar more. */
export function costOf(price: Price, use: TokenUse): number {
  // A provider that counts cached tokens apart from the others reports more of them than there are prompt tokens.
  const fresh = Math.max(0, use.inputTokens - use.cachedTokens);
  const sum = fresh * price.input + use.cachedTokens * price.cached + use.outputTokens * price.output;
  return Math.ceil(sum / MILLION);
}

/**
 * The price of a call. Providers report models under longer names than they are asked for (`gpt-4.1-2025-04-14`), so
 * the model that was configured stands in for a name that has no price. Undefined when neither has one.
 */
export function priceOf(prices: Prices, reported: string, configured: string): Price | undefined {
  return prices.get(reported) ?? prices.get(configured);
}

/** Schema of a limit of cost; undefined for `off`. */
export function dollarLimit() {
  return z
    .union([z.number().positive(), z.literal("off")], { error: "write a number of US dollars, or off" })
    .transform((value) => (value === "off" ? undefined : value));
}

/** `$0.26`; rounded to the cent. */
export function dollars(micro: number): string {
  return `$${(micro / MILLION).toFixed(2)}`;
}
