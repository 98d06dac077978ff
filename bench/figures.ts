import type { Row } from "./bench.ts";

/** A formatted row: medians with the range of the rounds, and the ratio of the medians. */
export interface Shown {
  readonly what: string;
  readonly ours: string;
  readonly reference: string;
  /** Our figure divided by the reference; `–` if the reference is zero. */
  readonly ratio: string;
}

export function shownRow({ what, unit, ours, reference }: Row): Shown {
  const [mine, theirs] = [median(ours), median(reference.rounds)];
  return {
    what: `${what}, ${unit}`,
    ours: spread(ours),
    reference: `${spread(reference.rounds)} ${reference.name}`,
    ratio: theirs > 0 ? figure(mine / theirs) : "–",
  };
}

/** Returns the median. Throws if there are no rounds: then nothing was measured. */
function median(rounds: readonly number[]): number {
  const sorted = rounds.toSorted((one, other) => one - other);
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  if (low === undefined || high === undefined) throw new Error("nothing was measured");
  return (low + high) / 2;
}

/** Formats `median (least–most)`; a single round has no range. */
function spread(rounds: readonly number[]): string {
  const middle = figure(median(rounds));
  return rounds.length === 1
    ? middle
    : `${middle} (${figure(Math.min(...rounds))}–${figure(Math.max(...rounds))})`;
}

/**
 * Formats a number: three digits if it is above 1, all integer digits if it is large, two digits if it is far below 1.
 */
function figure(value: number): string {
  const size = Math.abs(value);
  if (size > 0 && size < 0.1) return value.toLocaleString("en", { maximumSignificantDigits: 2 });
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : 2;
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
