/** A longer text is content rather than a path or a command; only its beginning is looked at. */
const MOST_TEXT = 4096;
/** Paths of one call, and characters of each: patterns are tried on all of them. */
const MOST_PATHS = 40;
const LONGEST_PATH = 256;

/**
 * Returns what may be paths in the arguments of a call, relative to the working directory: every word of a text that
 * could name one. A word that is no path concerns no instructions, so nothing needs to know commands.
 */
export function touchedPaths(
  args: unknown,
  { named, workingDirectory }: { readonly named: readonly string[]; readonly workingDirectory: string },
): readonly string[] {
  const texts = typeof args === "object" && args !== null ? Object.values(args) : [args];
  const words = texts
    .filter((text) => typeof text === "string")
    .flatMap((text) => text.slice(0, MOST_TEXT).split(/[\s"'`=:;|&<>(){}[\],]+/));
  const inside = [...named, ...words].flatMap((word) => insideOf(workingDirectory, word));
  return [...new Set(inside)].slice(0, MOST_PATHS);
}

function insideOf(directory: string, word: string): readonly string[] {
  const path = word.startsWith(`${directory}/`) ? word.slice(directory.length + 1) : word;
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  const isElsewhere = path.startsWith("/") || parts.includes("..") || path.length > LONGEST_PATH;
  return isElsewhere || parts.length === 0 ? [] : [parts.join("/")];
}
