/** Returns the value at a path inside parsed JSON; undefined if a step is missing. */
export function dig(value: unknown, ...path: readonly (string | number)[]): unknown {
  let found: unknown = value;
  for (const step of path) {
    if (typeof found !== "object" || found === null) return undefined;
    found = new Map<string, unknown>(Object.entries(found)).get(String(step));
  }
  return found;
}
