/**
 * Returns the paths that a pattern of `policy.protected_paths` matches as a whole. `**` matches any number of
 * directories, `*` any characters but `/`, `?` one. Case does not matter: some file systems ignore it, and on the
 * others a name that differs only in case is rarely another file.
 */
export function protectedAmong(paths: readonly string[], patterns: readonly string[]): readonly string[] {
  const all = patterns.map(partsOf);
  return paths.filter((path) => all.some((parts) => matches(parts, path.toLowerCase())));
}

/** Splits a pattern into wildcards and single characters. */
const partsOf = (pattern: string): readonly string[] =>
  pattern
    .toLowerCase()
    .replace(/^\/+/, "")
    .match(/\*\*\/|\*\*|[^]/g) ?? [];

/** Parts that may match nothing. */
const OPTIONAL: ReadonlySet<string | undefined> = new Set(["**/", "**", "*"]);

/**
 * Matches a path in one pass with the set of reachable positions of the pattern. Agents choose the paths, and a regular
 * expression with three wildcards would backtrack for seconds on a long one.
 */
function matches(parts: readonly string[], path: string): boolean {
  let places: ReadonlySet<number> = reach(new Set(), parts, 0);
  for (const character of path.split("")) {
    const next = new Set<number>();
    for (const place of places) step(next, parts, place, character);
    if (next.size === 0) return false;
    places = next;
  }
  return places.has(parts.length);
}

/** Adds a position, and the later ones that are reached without a character. */
function reach(places: Set<number>, parts: readonly string[], place: number): Set<number> {
  places.add(place);
  return OPTIONAL.has(parts[place]) ? reach(places, parts, place + 1) : places;
}

/** Adds the positions that one more character reaches. Inside a directory's name, a position is `place - 0.5`. */
function step(next: Set<number>, parts: readonly string[], from: number, character: string): void {
  const place = Math.ceil(from);
  const part = parts[place];
  if (part === "**/") {
    next.add(place - 0.5);
    if (character === "/") reach(next, parts, place + 1);
  } else if (part === "**" || (part === "*" && character !== "/")) {
    reach(next, parts, place);
  } else if (part === character || (part === "?" && character !== "/")) {
    reach(next, parts, place + 1);
  }
}
