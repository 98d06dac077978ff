import { randomOf, shuffled } from "../../random.ts";

/** How much a run disturbs the processes and their database. */
export interface Counts {
  readonly kills: number;
  readonly pauses: number;
  readonly outages: number;
  readonly promotions: number;
}

/** One disturbance. `afterMs`: how long after the one before it begins. */
export type Disturbance = { readonly afterMs: number } & (
  | {
      readonly what: "kill";
      readonly node: number;
      /** The process that follows ends itself at the first of these that it passes; empty for one that goes on. */
      readonly points: readonly string[];
    }
  | { readonly what: "pause"; readonly node: number; readonly ms: number }
  | { readonly what: "outage" }
  | { readonly what: "promotion" }
);

/** One and a half leases of a node, and of an effect that writes to GitHub. */
export const PAUSES_MS = { node: 30_000, effect: 90_000 } as const;

/** One pause in so many outlasts the lease of an effect. */
const LONG_EVERY = 4;
/** Crash points of one process: the first that it passes ends it. */
const POINTS_AT_ONCE = 4;
/** What a process started again, and one that gets its agents back, needs on a busy machine. */
const GAP_MS = { least: 2_000, most: 10_000 } as const;

/**
 * Returns the disturbances of a seed, always the same. A kill may bring another, of the process that follows, at a point; not
 * each does, so there are as many as if none did, and those left are not needed once there were enough.
 */
export function scheduleOf(
  seed: number,
  counts: Counts,
  given: { readonly nodes: number; readonly points: readonly string[] },
): readonly Disturbance[] {
  const random = randomOf(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const points = shuffled(given.points, random);
  const pointsOf = (index: number): readonly string[] =>
    times(Math.min(POINTS_AT_ONCE, points.length), (next) => {
      const place = (index * POINTS_AT_ONCE + next) % points.length;
      return points[place] ?? "";
    });
  const acts = shuffled(
    [
      ...times(counts.kills, (index) => ({
        what: "kill" as const,
        node: below(given.nodes),
        points: pointsOf(index),
      })),
      ...times(counts.pauses, (index) => ({
        what: "pause" as const,
        node: below(given.nodes),
        ms: index % LONG_EVERY === LONG_EVERY - 1 ? PAUSES_MS.effect : PAUSES_MS.node,
      })),
      ...times(counts.outages, () => ({ what: "outage" as const })),
      ...times(counts.promotions, () => ({ what: "promotion" as const })),
    ],
    random,
  );
  return acts.map((act) => ({
    ...act,
    afterMs: GAP_MS.least + below(GAP_MS.most - GAP_MS.least),
  }));
}

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}
