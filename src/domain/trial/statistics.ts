/** A share with its 95 % confidence interval; all three from 0 to 1. */
export interface Share {
  readonly of: number;
  readonly count: number;
  readonly share: number;
  readonly low: number;
  readonly high: number;
}

/** The two-sided 95 % point of the normal distribution. */
const Z = 1.959963984540054;

/**
 * Returns the share with Wilson's interval, which stays within 0 and 1 and is honest for few cases, where the textbook's
 * interval says that three of three is certain. Of no cases nothing is known: 0 to 1.
 */
export function wilson(count: number, of: number): Share {
  if (of === 0) return { of, count, share: 0, low: 0, high: 1 };
  const share = count / of;
  const scale = 1 + Z ** 2 / of;
  const centre = share + Z ** 2 / (2 * of);
  const spread = Z * Math.sqrt((share * (1 - share)) / of + Z ** 2 / (4 * of ** 2));
  return {
    of,
    count,
    share,
    // At the ends rounding leaves a trace on the wrong side of the bound.
    low: count === 0 ? 0 : (centre - spread) / scale,
    high: count === of ? 1 : (centre + spread) / scale,
  };
}

/** The middle of some values, and what a quarter of them lies below and above. */
export interface Quartiles {
  readonly low: number;
  readonly median: number;
  readonly high: number;
}

/** Returns the quartiles, between neighbours in proportion; null of no values. */
export function quartiles(values: readonly number[]): Quartiles | null {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number): number => {
    const place = part * (sorted.length - 1);
    const from = Math.floor(place);
    return sorted
      .slice(from, from + 2)
      .reduce((sum, value, index) => sum + value * (1 - Math.abs(place - from - index)), 0);
  };
  return sorted.length === 0 ? null : { low: at(0.25), median: at(0.5), high: at(0.75) };
}

/** How the same cases ended in two trials, by the number of cases. */
export interface Pairs {
  readonly both: number;
  readonly onlyBefore: number;
  readonly onlyAfter: number;
  readonly neither: number;
}

/** How the share changed, in the unit of shares: 0.1 is ten percentage points more. */
export interface ShareChange {
  readonly change: number;
  readonly low: number;
  readonly high: number;
  /** How likely as uneven a split of the changed cases is by chance alone; 1 where no case changed. */
  readonly chance: number;
}

/**
 * Compares two shares of the same cases: McNemar's exact test, and Newcombe's interval of the difference of paired shares,
 * which is made of the two Wilson intervals and how much the trials agree. Of no cases nothing is known: -1 to 1.
 */
export function pairedChange({ both, onlyBefore, onlyAfter, neither }: Pairs): ShareChange {
  const of = both + onlyBefore + onlyAfter + neither;
  const before = wilson(both + onlyBefore, of);
  const after = wilson(both + onlyAfter, of);
  const margins = before.count * (of - before.count) * after.count * (of - after.count);
  const crossed = both * neither - onlyBefore * onlyAfter;
  // Newcombe's own correction: few cases agree by chance more than they would among many.
  const corrected = crossed > 0 ? Math.max(0, crossed - of / 2) : crossed;
  const agreement = margins === 0 ? 0 : corrected / Math.sqrt(margins);
  const apart = (one: number, other: number): number =>
    Math.sqrt(Math.max(0, one ** 2 - 2 * agreement * one * other + other ** 2));
  const change = after.share - before.share;
  return {
    change,
    low: of === 0 ? -1 : change - apart(after.share - after.low, before.high - before.share),
    high: of === 0 ? 1 : change + apart(after.high - after.share, before.share - before.low),
    chance: splitChance(onlyBefore, onlyAfter),
  };
}

/** Returns how likely a fair coin splits as unevenly as this, or more. */
function splitChance(one: number, other: number): number {
  const tosses = one + other;
  // In logarithms, because 2 ** tosses outgrows a number.
  let term = -tosses * Math.LN2;
  let sum = 0;
  for (let heads = 0; heads <= Math.min(one, other); heads += 1) {
    sum += Math.exp(term);
    term += Math.log((tosses - heads) / (heads + 1));
  }
  return Math.min(1, 2 * sum);
}
