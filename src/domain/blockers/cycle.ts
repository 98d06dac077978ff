/**
 * Returns the cycle that `from` waiting for `to` would close, from `from` back to `from`; null when there is none.
 * `waitsFor` maps an issue to those that it already waits for; equal keys mean the same issue.
 */
export function findCycle<Issue>(
  waitsFor: ReadonlyMap<Issue, readonly Issue[]>,
  from: Issue,
  to: Issue,
): readonly Issue[] | null {
  const trails = [{ end: to, path: [from, to] }];
  const seen = new Set<Issue>();
  for (let trail = trails.pop(); trail !== undefined; trail = trails.pop()) {
    const { end, path } = trail;
    if (end === from) return path;
    if (seen.has(end)) continue;
    seen.add(end);
    for (const next of waitsFor.get(end) ?? []) trails.push({ end: next, path: [...path, next] });
  }
  return null;
}
