/** An agent of an issue that waits for another issue. */
export interface Waits {
  readonly id: number;
  readonly issue: string;
  readonly blocker: string;
}

/**
 * Returns, in order, the ids of agents whose issues wait for themselves, directly or through others. Takes
 * time in the number of waits, plus the product of waits and issues in the cycles and between them.
 */
export function agentsInCycles(waits: readonly Waits[]): readonly number[] {
  const left = withoutDeadEnds(waits);
  const onward = Map.groupBy(left, ({ issue }) => issue);
  const inCycle = new Set([...onward.keys()].filter((issue) => reaches(onward, issue)));
  const ids = left.filter(({ issue }) => inCycle.has(issue)).map(({ id }) => id);
  return [...new Set(ids)].toSorted((one, other) => one - other);
}

/** Removes, repeatedly, issues that wait for nothing that waits. Leaves every cycle whole. */
function withoutDeadEnds(waits: readonly Waits[]): readonly Waits[] {
  const open = new Map<string, number>();
  for (const { issue } of waits) open.set(issue, (open.get(issue) ?? 0) + 1);
  const waiting = Map.groupBy(waits, ({ blocker }) => blocker);
  const ends = [...waiting.keys()].filter((issue) => !open.has(issue));
  for (let end = ends.pop(); end !== undefined; end = ends.pop())
    for (const { issue } of waiting.get(end) ?? []) {
      const still = (open.get(issue) ?? 0) - 1;
      if (still > 0) open.set(issue, still);
      else {
        open.delete(issue);
        ends.push(issue);
      }
    }
  return waits.filter(({ issue, blocker }) => open.has(issue) && open.has(blocker));
}

function reaches(onward: ReadonlyMap<string, readonly Waits[]>, from: string): boolean {
  const seen = new Set<string>();
  const next = [from];
  for (let issue = next.pop(); issue !== undefined; issue = next.pop())
    for (const { blocker } of onward.get(issue) ?? []) {
      if (blocker === from) return true;
      if (seen.has(blocker)) continue;
      seen.add(blocker);
      next.push(blocker);
    }
  return false;
}
