/**
 * Those of the paths that a pattern of `policy.protected_paths` matches. `**` stands for any number of directories, `*`
 * for any characters but `/`, `?` for one; a pattern matches the whole path from the top of the repository. Case does not
 * matter: some file systems ignore it, and on the others a name that differs only in case is rarely another file.
 */
export function protectedAmong(paths: readonly string[], patterns: readonly string[]): readonly string[] {
  const all = patterns.map(partsOf);
  return paths.filter((path) => all.some((parts) => matches(parts, path.toLowerCase())));
}

/** Wildcards, and single characters. */
const partsOf = (pattern: string): readonly string[] =>
  pattern
    .toLowerCase()
    .replace(/^\/+/, "")
    .match(/\*\*\/|\*\*|[^]/g) ?? [];

/** They also match nothing. */
const OPTIONAL: ReadonlySet<string | undefined> = new Set(["**/", "**", "*"]);

/**
 * Reads the path once and keeps every place of the pattern where it may be. Agents choose paths, and a regular expression
 * would try each way in which several wildcards can share a long path: with three of them for seconds.
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

/** Adds a place, and those behind it that are reached without a character. */
function reach(places: Set<number>, parts: readonly string[], place: number): Set<number> {
  places.add(place);
  return OPTIONAL.has(parts[place]) ? reach(places, parts, place + 1) : places;
}

/** Adds where one more character leads. In the middle of a directory's name, a place is `place - 0.5`. */
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
