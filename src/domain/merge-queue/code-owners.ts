import { protectedAmong } from "../evidence/protected-paths.ts";

/** Rules that are applied at most: a longer file counts as one that cannot be read. */
const MOST_RULES = 2000;

/** Characters of all patterns times those of all paths: about a second's work where each pattern is as bad as it can be. */
const MOST_STEPS = 100_000_000;

/** One line of a CODEOWNERS file. */
interface OwnerRule {
  /** In the form of `protectedAmong`. */
  readonly pattern: string;
  /** `@login`, `@org/team` or an address; none = the files have no owner. */
  readonly owners: readonly string[];
}

/** A CODEOWNERS file at the base commit: its rules in order; `too_long` for one that is not applied. */
export type CodeOwners = readonly OwnerRule[] | "too_long";

/** Where GitHub looks for the file, the first one counts. */
export const CODE_OWNERS_FILES = [".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"] as const;

/** Parses a CODEOWNERS file. As on GitHub, a line that it does not understand has no effect. */
export function codeOwners(text: string): CodeOwners {
  const rules = text.split(/\r\n?|\n/).flatMap(ruleOf);
  return rules.length > MOST_RULES ? "too_long" : rules;
}

const length = (texts: readonly string[]) => texts.reduce((sum, text) => sum + text.length, 0);

/** An owner: `@login`, `@org/team`, or an address. */
const OWNER = /^(?:@[\w.-]+(?:\/[\w.-]+)?|[^\s@]+@[^\s@]+)$/;

function ruleOf(line: string): readonly OwnerRule[] {
  const [written = "", ...rest] = wordsOf(line);
  // GitHub knows neither exceptions nor ranges here.
  if (written === "" || /^!|[[\]]/.test(written)) return [];
  return rest.every((owner) => OWNER.test(owner)) ? [{ pattern: patternOf(written), owners: rest }] : [];
}

/** Returns the words before a comment. A backslash keeps a space or a `#` in the pattern. */
function wordsOf(line: string): readonly string[] {
  const words = line.match(/(?:\\.|[^\s\\])+/g) ?? [];
  const comment = words.findIndex((word) => word.startsWith("#"));
  return (comment < 0 ? words : words.slice(0, comment)).map((word) => word.replace(/\\(.)/g, "$1"));
}

/** A pattern without a slash before its end fits in any directory. */
function patternOf(written: string): string {
  const anchored = /\/./.test(written);
  const path = written.replace(/^\/+/, "");
  if (path === "") return "**";
  return anchored || path.startsWith("**/") ? path : `**/${path}`;
}

/**
 * Returns the owners of each path that has some; the last rule that fits counts. `too_long` where that would take long.
 * Unlike on GitHub, case does not matter, and a rule of a directory is also one of a file of that name: more paths then
 * have an owner.
 */
export function ownersOf(
  paths: readonly string[],
  rules: readonly OwnerRule[],
): ReadonlyMap<string, readonly string[]> | "too_long" {
  if (length(rules.map(({ pattern }) => pattern)) * length(paths) > MOST_STEPS) return "too_long";
  const found = new Map<string, readonly string[]>();
  let left: readonly string[] = paths;
  for (const { pattern, owners } of rules.toReversed()) {
    if (left.length === 0) break;
    const fits = new Set(protectedAmong(left, [pattern]));
    if (fits.size === 0) continue;
    for (const path of fits) if (owners.length > 0) found.set(path, owners);
    left = left.filter((path) => !fits.has(path));
  }
  return found;
}
