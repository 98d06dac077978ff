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

/** Returns what a call costs in micro-dollars, rounded up by less than one micro-dollar. */
export function costOf(price: Price, use: TokenUse): number {
  // A provider that counts cached tokens apart from the others reports more of them than there are prompt tokens.
  const fresh = Math.max(0, use.inputTokens - use.cachedTokens);
  const sum = fresh * price.input + use.cachedTokens * price.cached + use.outputTokens * price.output;
  return Math.ceil(sum / MILLION);
}

/**
 * Returns the price of a call. Providers report longer names than were configured (`gpt-4.1-2025-04-14`), so a name
 * without a price gets that of the configured model. Undefined when neither has one.
 */
export function priceOf(prices: Prices, reported: string, configured: string): Price | undefined {
  return prices.get(reported) ?? prices.get(configured);
}

/** Returns the schema of a cost limit; it parses `off` as undefined. */
export function dollarLimit() {
  return z
    .union([z.number().positive(), z.literal("off")], { error: "write a number of US dollars, or off" })
    .transform((value) => (value === "off" ? undefined : value));
}

/** Returns `$0.26`; rounded to the cent. */
export function dollars(micro: number): string {
  return `$${(micro / MILLION).toFixed(2)}`;
}
