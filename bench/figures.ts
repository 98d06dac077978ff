import type { Row } from "./bench.ts";

/** A row as it is shown: medians with what the rounds spread over, and the one median in terms of the other. */
export interface Shown {
  readonly what: string;
  readonly ours: string;
  readonly reference: string;
  /** Ours divided by the reference; `–` where that is nothing. */
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

/** The middle one, or the mean of the two in the middle. Throws on none: then nothing was measured. */
function median(rounds: readonly number[]): number {
  const sorted = rounds.toSorted((one, other) => one - other);
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  if (low === undefined || high === undefined) throw new Error("nothing was measured");
  return (low + high) / 2;
}

/** `median (least–most)`; one round alone has no spread. */
function spread(rounds: readonly number[]): string {
  const middle = figure(median(rounds));
  return rounds.length === 1
    ? middle
    : `${middle} (${figure(Math.min(...rounds))}–${figure(Math.max(...rounds))})`;
}

/** Three digits of what is above 1, and all before the point of a large one; two of what is far below. */
function figure(value: number): string {
  const size = Math.abs(value);
  if (size > 0 && size < 0.1) return value.toLocaleString("en", { maximumSignificantDigits: 2 });
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : 2;
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
