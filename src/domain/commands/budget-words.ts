import type { Grant } from "../agents/agent-record.ts";
import { atMostLargest, type GrantUnit, LARGEST, NO_GRANT } from "./extension.ts";

/** Units of limits, and of a repository's daily limit of started agents. */
export type BudgetUnit = GrantUnit | "agents";

/** One amount of `/flotilla budget`; without a unit it has that of the limit that stopped the agent. */
export interface Amount {
  readonly value: number;
  readonly unit: BudgetUnit | null;
  /** True when written with a decimal point, and without `k` or `M`. */
  readonly hasPoint?: true;
}

/** Units that are granted in whole numbers only: `1.500` may mean 1500. */
const WHOLE: Readonly<Partial<Record<BudgetUnit, string>>> = {
  tokens: "tokens",
  toolCalls: "tool calls",
  wakes: "wakes",
  turns: "turns",
  agents: "agents",
};

const WORDS: readonly (readonly [pattern: RegExp, unit: BudgetUnit, times: number])[] = [
  [/^(?:\$|usd|dollars?)$/, "costMicroUsd", 1_000_000],
  [/^(?:tokens?)$/, "tokens", 1],
  [/^(?:m|min|mins|minutes?)$/, "activeMs", 60_000],
  [/^(?:h|hours?)$/, "activeMs", 3_600_000],
  [/^(?:calls?|tool ?calls?)$/, "toolCalls", 1],
  [/^(?:wakes?|iterations?)$/, "wakes", 1],
  [/^(?:turns?)$/, "turns", 1],
  [/^(?:agents?)$/, "agents", 1],
];

/** One of each unit, in its smallest step, where only a number is given. */
const ONE: Readonly<Record<BudgetUnit, number>> = {
  costMicroUsd: 1_000_000,
  tokens: 1,
  activeMs: 60_000,
  toolCalls: 1,
  wakes: 1,
  turns: 1,
  agents: 1,
};

/** How each unit is written, with an example. */
export const UNIT_WORDS: Readonly<Record<BudgetUnit, string>> = {
  costMicroUsd: "dollars (`+$5`)",
  tokens: "tokens (`+500k tokens`)",
  activeMs: "minutes (`+30 min`)",
  toolCalls: "tool calls (`+50 calls`)",
  wakes: "wakes (`+2 wakes`)",
  turns: "turns (`+20 turns`)",
  agents: "agents a day (`+5 agents`)",
};

/** The rounding error allowed in a product that must be a whole number. */
const TINY = 1e-6;

const AMOUNT =
  /^\+?\s*(?<dollar>\$)?(?<number>\d+(?:\.\d+)?)(?<scale>[kM](?![a-z]))?(?:\s*(?<unit>\$|tool calls?|[a-z]+))?(?:\s*(?:,(?![^\s+])|and)\s*|\s+|$)/;

/** Characters of a number that are repeated to the person. */
const LONGEST_NUMBER = 20;

/**
 * Returns how to write the first number that contains a comma; null when none does. A comma separates amounts only
 * before a space or `+`.
 */
export function commaFault(text: string): string | null {
  const number = text.match(/\d[\d.,]*/g)?.find((one) => /,\d/.test(one));
  if (number === undefined) return null;
  const thousands = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(number);
  const plain = thousands ? number.replaceAll(",", "") : number.replace(",", ".");
  return plain.length <= LONGEST_NUMBER && /^\d+(?:\.\d+)?$/.test(plain)
    ? `Write ${plain}.`
    : "Write numbers without commas.";
}

/** Parses `+20`, `+$5`, `+500k tokens`, `+30 min and +10 turns`; null when any part is not an amount. */
export function readAmounts(text: string): readonly Amount[] | null {
  const amounts: Amount[] = [];
  for (let rest = text.trim().replace(/\s+/g, " "); rest !== ""; ) {
    const match = AMOUNT.exec(rest);
    if (match?.groups === undefined) return null;
    const { dollar, number, scale, unit } = match.groups;
    const written = dollar ?? unit;
    const known = WORDS.find(([pattern]) => written !== undefined && pattern.test(written));
    if (written !== undefined && known === undefined) return null;
    const scaled = Number(number) * (scale === "k" ? 1000 : scale === "M" ? 1_000_000 : 1);
    const hasPoint = scale === undefined && number?.includes(".") === true;
    const amount = { value: scaled * (known?.[2] ?? 1), unit: known?.[1] ?? null };
    amounts.push(hasPoint ? { ...amount, hasPoint } : amount);
    rest = rest.slice(match[0].length);
  }
  return amounts.length > 0 && amounts.every(({ value }) => value > 0) ? amounts : null;
}

/** Returns why parsed amounts are not granted; null when they are. Amounts without a unit have that of `fallback`. */
export function amountFault(
  amounts: readonly Amount[],
  fallback: BudgetUnit | null,
): { readonly reason: string; readonly advice: string } | null {
  const sums = new Map<BudgetUnit, number>();
  for (const amount of amounts) {
    const unit = amount.unit ?? fallback;
    if (unit === null) continue;
    const whole = inUnit(amount, unit);
    const pieces = WHOLE[unit];
    if (pieces !== undefined && (amount.hasPoint === true || Math.abs(amount.value - whole) > TINY))
      return {
        reason: `${pieces} are granted in whole numbers`,
        advice: `Say how many ${UNIT_WORDS[unit]}, without a decimal point.`,
      };
    if (whole === 0)
      return { reason: "an amount in it is zero", advice: `Say how many ${UNIT_WORDS[unit]}.` };
    const sum = (sums.get(unit) ?? 0) + whole;
    if (sum > LARGEST)
      return {
        reason: "this is more than anybody may grant at once",
        advice: `Say how many ${UNIT_WORDS[unit]}, ${Math.floor(LARGEST / ONE[unit])} at most.`,
      };
    sums.set(unit, sum);
  }
  return null;
}

/** Returns the amounts for agents' limits as one grant; amounts without a unit have that of `fallback`. */
export function grantOf(amounts: readonly Amount[], fallback: BudgetUnit | null, by: string): Grant {
  return amounts.reduce<Grant>(
    (sum, amount) => {
      const unit = amount.unit ?? fallback;
      if (unit === null || unit === "agents") return sum;
      return { ...sum, [unit]: atMostLargest(sum[unit] + inUnit(amount, unit)) };
    },
    { ...NO_GRANT, by: [by] },
  );
}

/** Returns an amount in whole units: micro-dollars, milliseconds, pieces. */
export function inUnit(amount: Amount, unit: BudgetUnit): number {
  return Math.round(amount.value * (amount.unit === null ? ONE[unit] : 1));
}
