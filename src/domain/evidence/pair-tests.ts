import type { Sliced } from "./sliced.ts";
import type { Region } from "./test-regions.ts";

/** A region of a file, and whether a test runner finds that file by its name. */
export interface PlacedRegion extends Region {
  readonly path: string;
  readonly isNamed: boolean;
}

/** A region before the change, with what it is after it; `after` null where it is gone. */
export interface Pair {
  readonly before: PlacedRegion;
  readonly after: PlacedRegion | null;
}

/** Part of the lines of a test that another one must have to be the same test under another title. */
const SAME = 0.5;
/** Tests that are compared with one; a line of more tests than this tells nothing about one of them. */
const MOST_SHARED = 50;

/**
 * Finds each test of `before` in `after`: by its title, in any file, else by its lines. A test in a file that runners
 * find by its name is found only in such a file. What belongs to no test is found by its file, else by its lines.
 */
export function* pairTests(
  before: readonly PlacedRegion[],
  after: readonly PlacedRegion[],
): Sliced<{ readonly pairs: readonly Pair[]; readonly added: readonly PlacedRegion[] }> {
  const free = new Set(after);
  const byTitle = Map.groupBy(after, keyOf);
  const paired = new Map<PlacedRegion, PlacedRegion>();
  const take = (one: PlacedRegion, other: PlacedRegion) => {
    paired.set(one, other);
    free.delete(other);
  };
  const fits = (one: PlacedRegion, other: PlacedRegion) =>
    one.title === null ? other.title === null : other.title !== null && (other.isNamed || !one.isNamed);
  for (const one of before) {
    const left = byTitle.get(keyOf(one)) ?? [];
    const same = left.slice(0, MOST_SHARED).filter((other) => fits(one, other));
    const other = yield* best(one, same, 0, (each) => (each.path === one.path ? 1 : 0));
    if (other === undefined) continue;
    take(one, other);
    left.splice(left.indexOf(other), 1);
  }
  const holders = new Map<string, PlacedRegion[]>();
  for (const other of free) {
    yield other.body.size;
    for (const line of other.body) {
      const all = holders.get(line);
      if (all === undefined) holders.set(line, [other]);
      else if (all.length <= MOST_SHARED) all.push(other);
    }
  }
  for (const one of before) {
    if (paired.has(one)) continue;
    const near = (yield* nearest(one, holders)).filter((other) => free.has(other) && fits(one, other));
    const other = yield* best(one, near.slice(0, MOST_SHARED), SAME * one.body.size);
    if (other !== undefined) take(one, other);
  }
  return {
    pairs: before.map((one) => ({ before: one, after: paired.get(one) ?? null })),
    added: [...free],
  };
}

/** A path cannot begin with the character that begins the key of a title. */
const keyOf = ({ title, path }: PlacedRegion) => (title === null ? path : `\0${title}`);

const shared = (one: PlacedRegion, other: PlacedRegion) => {
  let count = 0;
  for (const line of one.body) if (other.body.has(line)) count += 1;
  return count;
};

/** Returns the regions with lines of this one that few have, those with the most of them first. */
function* nearest(
  one: PlacedRegion,
  holders: ReadonlyMap<string, readonly PlacedRegion[]>,
): Sliced<readonly PlacedRegion[]> {
  const counts = new Map<PlacedRegion, number>();
  for (const line of one.body) {
    const all = holders.get(line) ?? [];
    yield 1 + all.length;
    if (all.length > MOST_SHARED) continue;
    for (const other of all) counts.set(other, (counts.get(other) ?? 0) + 1);
  }
  return [...counts].toSorted(([, some], [, others]) => others - some).map(([other]) => other);
}

/** Returns the region with the most lines of this one, which are `least` or more; `extra` is added to their number. */
function* best(
  one: PlacedRegion,
  all: readonly PlacedRegion[],
  least: number,
  extra: (other: PlacedRegion) => number = () => 0,
): Sliced<PlacedRegion | undefined> {
  let found: PlacedRegion | undefined;
  let most = -1;
  for (const other of all) {
    const value = shared(one, other) + extra(other);
    yield 1 + one.body.size;
    if (value >= least && value > most) [found, most] = [other, value];
  }
  return found;
}
