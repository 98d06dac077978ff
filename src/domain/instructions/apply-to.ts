import { patternFault, protectedAmong } from "../evidence/protected-paths.ts";

/** The most patterns of one file, braces written out, and their characters together: each is tried on each path. */
const MOST_PATTERNS = 50;
const MOST_CHARACTERS = 1000;

/** The paths for which a file of instructions is; or why it is for none. */
export type ApplyTo = { readonly patterns: readonly string[] } | { readonly fault: string };

/**
 * Reads `applyTo` of a front matter: patterns with commas between them, or a list. `{a,b}` stands for either, as in
 * `**\/*.{ts,tsx}`; brackets and exceptions are not read.
 */
export function readApplyTo(frontMatter: Readonly<Record<string, unknown>> | null): ApplyTo {
  const written = frontMatter?.["applyTo"];
  const texts = [written].flat().filter((one) => typeof one === "string");
  if (texts.length === 0) return { fault: "has no `applyTo`, so it is for no path" };
  const patterns = expanded(texts.join(","));
  if (patterns === null) return { fault: "has an `applyTo` that is too long" };
  if (patterns.length === 0) return { fault: "has an empty `applyTo`" };
  if (patterns.some((one) => patternFault(one) !== null))
    return { fault: "has an `applyTo` that is not understood" };
  return { patterns };
}

export function appliesToAll(patterns: readonly string[]): boolean {
  return patterns.some((pattern) => pattern === "**" || pattern === "**/*" || pattern === "**/**");
}

export function applies(patterns: readonly string[], path: string): boolean {
  return protectedAmong([path], patterns).length > 0;
}

/** Returns the patterns with each alternative in braces written out; null where they are too many or too long. */
function expanded(text: string): readonly string[] | null {
  const done: string[] = [];
  const todo = text.length > MOST_CHARACTERS ? [] : splitAtCommas(text);
  for (let one = todo.pop(); one !== undefined; one = todo.pop()) {
    const { before, choices, after } = firstBraces(one);
    if (choices === null) done.push(one.trim().replace(/^(?:\.?\/)+/, ""));
    else todo.push(...choices.map((choice) => `${before}${choice}${after}`));
    if (done.length + todo.length > MOST_PATTERNS) return null;
  }
  const isLong = Math.max(text.length, done.join("").length) > MOST_CHARACTERS;
  return isLong ? null : [...new Set(done.toReversed())].filter((pattern) => pattern !== "");
}

/** Returns the innermost braces that come first, with what they offer; null where there are none. */
function firstBraces(text: string) {
  const end = text.indexOf("}");
  const start = text.lastIndexOf("{", end);
  if (end === -1 || start === -1) return { before: text, choices: null, after: "" };
  const choices = text.slice(start + 1, end).split(",");
  return { before: text.slice(0, start), choices, after: text.slice(end + 1) };
}

/** Splits at the commas that stand outside of braces. */
function splitAtCommas(text: string): string[] {
  let depth = 0;
  const parts = [""];
  for (const sign of text) {
    depth = Math.max(0, depth + (sign === "{" ? 1 : sign === "}" ? -1 : 0));
    if (sign === "," && depth === 0) parts.push("");
    else parts.push(`${parts.splice(-1).join("")}${sign}`);
  }
  return parts;
}
