/** Something that can be seen from outside, and whether it was so. */
type Fact = readonly [seen: string, isSo: boolean];

/** What a check found. */
export interface Finding {
  /** The complaint happens where one of these is not so. */
  readonly holds: readonly Fact[];
  /** It happens partly where all of those are so, and one of these is not. */
  readonly besides?: readonly Fact[];
}

export const VERDICTS = ["does not happen", "happens partly", "happens", "not judged"] as const;
export type Verdict = (typeof VERDICTS)[number];

/** A finding without a fact judges nothing. */
export function verdictOf({ holds, besides = [] }: Finding): Verdict {
  if (holds.length === 0) return "not judged";
  if (!holds.every(([, isSo]) => isSo)) return "happens";
  return besides.every(([, isSo]) => isSo) ? "does not happen" : "happens partly";
}
