/**
 * The circle that `from` waiting for `to` would close, as issue numbers from `from` back to `from`; null when there is
 * none. `waitsFor` maps an issue to those that it waits for already.
 */
export function findCycle(
  waitsFor: ReadonlyMap<number, readonly number[]>,
  from: number,
  to: number,
): readonly number[] | null {
  const trails = [{ end: to, path: [from, to] }];
  const seen = new Set<number>();
  for (let trail = trails.pop(); trail !== undefined; trail = trails.pop()) {
    const { end, path } = trail;
    if (end === from) return path;
    if (seen.has(end)) continue;
    seen.add(end);
    for (const next of waitsFor.get(end) ?? []) trails.push({ end: next, path: [...path, next] });
  }
  return null;
}
