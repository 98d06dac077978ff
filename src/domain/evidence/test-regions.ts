import { type PlainCode, plainCode } from "./plain-code.ts";
import { LAST_ARGUMENT, LOWER_LIMITS, type TestLanguage, UPPER_LIMITS } from "./test-languages.ts";

/** What keeps a test from judging the code. */
export interface Mark {
  readonly kind: "skipped" | "only" | "cut_short" | "hidden";
  readonly line: number;
  readonly text: string;
}

/** A number that decides how strict a test is. */
interface Limit {
  readonly name: string;
  readonly value: number;
  readonly line: number;
  /** More is weaker; else less is. */
  readonly isUpper: boolean;
}

/** One test with all that follows up to the next one; or, without a title, what comes before the first test. */
export interface Region {
  readonly title: string | null;
  readonly line: number;
  /** Those that can fail, as text. */
  readonly assertions: readonly string[];
  /** Those of them that hold for nearly any result. */
  readonly weak: number;
  readonly cases: number;
  readonly marks: readonly Mark[];
  readonly limits: readonly Limit[];
  /** Its longer lines, without the title: by these a test with another title is recognized. */
  readonly body: ReadonlySet<string>;
}

/** Characters of a text that is shown or compared. */
const LONGEST = 200;
/** Characters; a shorter line is in many tests. */
const DISTINCTIVE = 8;
/** Lines above a test in which its annotations are looked for. */
const MOST_ABOVE = 60;
/** Characters of a table in which the title after it is looked for. */
const LONGEST_TABLE = 4000;
const AFTER_TABLE = /[)`]\s{0,9}\(\s{0,99}["'`]/;
const AT_ONCE = /^\s{0,99}["'`]/;
const WITH_TABLE = /\.(?:each|for|skipIf|runIf|if|prop)\b|`$/;
const OF_GROUP = /^[xf]?(?:describe|suite|context)\b/;

/** Divides a file into its tests. `isElsewhere` = neither its name nor its place is that of tests. */
export function testRegions(source: string, language: TestLanguage, isElsewhere = false): readonly Region[] {
  const views = plainCode(source, language.syntax);
  const inside = isElsewhere ? (language.inside?.exec(views.code)?.index ?? views.code.length) : 0;
  // What is before it stays as blank lines, so that lines keep their numbers.
  const code = views.code.slice(0, inside).replace(/[^\n]/g, " ") + views.code.slice(inside);
  const { text } = views;
  const lines = text.split("\n");
  const starts = lineStarts(lines);
  const lineAt = (index: number) => lastUpTo(starts, index);
  const restOfLine = (index: number) =>
    squeezed(text.slice(index, index + 2 * LONGEST).replace(/\n[^]*/, ""));
  const tests = [...code.matchAll(language.tests)].map((found) => {
    const line = lineAt(found.index);
    const title = titleOf(found, { text, code });
    const last = lineAt(found.index + found[0].length);
    return { from: firstAnnotation(lines, line, language), line, last, title };
  });
  const first = lineAt(inside);
  const all = [{ from: first, line: first, last: first, title: null }, ...tests];
  const froms = all.map(({ from }) => from);
  const regionAt = (index: number) => lastUpTo(froms, lineAt(index));
  /** Marks of a group, or of a class, count for its first test. */
  const regionOfMark = (index: number) => {
    const region = regionAt(index);
    const isAbove =
      OF_GROUP.test(code.slice(index, index + LONGEST)) ||
      (language.annotations?.test(String(lines[lineAt(index)])) === true &&
        lineAt(index) > Number(all[region]?.last));
    return isAbove && region + 1 < all.length ? region + 1 : region;
  };
  const assertions = Map.groupBy(
    indicesOf(code, language.assertions).filter((index) => !language.empty.test(restOfLine(index))),
    regionAt,
  );
  const cases = Map.groupBy(indicesOf(code, language.cases), regionAt);
  const marks = Map.groupBy(marksIn(code, language), ({ index }) => regionOfMark(index));
  const limits = Map.groupBy(limitsIn(code), ({ index }) => regionAt(index));
  return all.map(({ from, line, title }, region) => {
    const asserted = (assertions.get(region) ?? []).map(restOfLine);
    return {
      title,
      line: line + 1,
      assertions: asserted,
      weak: asserted.filter((one) => language.weak.test(one)).length,
      cases: cases.get(region)?.length ?? 0,
      marks: (marks.get(region) ?? []).map(({ kind, index }) => ({
        kind,
        line: lineAt(index) + 1,
        text: restOfLine(index),
      })),
      limits: (limits.get(region) ?? []).map(({ index, ...limit }) => ({
        ...limit,
        line: lineAt(index) + 1,
      })),
      body: bodyOf(lines.slice(from, all[region + 1]?.from), title),
    };
  });
}

const squeezed = (text: string) => text.replace(/\s+/g, " ").trim().slice(0, LONGEST);

const indicesOf = (code: string, pattern: RegExp) => [...code.matchAll(pattern)].map(({ index }) => index);

function lineStarts(lines: readonly string[]): readonly number[] {
  const starts: number[] = [];
  let at = 0;
  for (const line of lines) {
    starts.push(at);
    at += line.length + 1;
  }
  return starts;
}

/** Returns the index of the last of these sorted numbers that is not above `value`. */
function lastUpTo(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (Number(sorted[middle]) <= value) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

/** Returns the first of the annotations right above a line and indented like it, or the line itself. */
function firstAnnotation(
  lines: readonly string[],
  line: number,
  { annotations, tests }: TestLanguage,
): number {
  let first = line;
  if (annotations === undefined) return first;
  const indent = indentOf(lines[line]);
  for (let at = line - 1; at >= Math.max(0, line - MOST_ABOVE); at -= 1) {
    const above = String(lines[at]);
    if (above.trim() === "" || above.search(tests) !== -1) break;
    if (annotations.test(above) && indentOf(above) === indent) first = at;
  }
  return first;
}

const indentOf = (line: string | undefined) => String(line).search(/\S/);

/** Returns the name of a test, or the string that is its title; what stands there instead where it is computed. */
function titleOf(found: RegExpExecArray, { text, code }: PlainCode): string {
  const name = found.groups?.["name"] ?? found.groups?.["old"];
  if (name !== undefined) return name;
  const from = found.index + found[0].length;
  const rest = code.slice(from, from + LONGEST_TABLE);
  const opening = (WITH_TABLE.test(found[0]) ? AFTER_TABLE : AT_ONCE).exec(rest);
  if (opening === null) return squeezed(text.slice(from, from + LONGEST).replace(/[,\n][^]*$/, ""));
  const quote = from + opening.index + opening[0].length;
  const end = code.slice(quote, quote + LONGEST).indexOf(code.charAt(quote - 1));
  return text.slice(quote, quote + (end === -1 ? LONGEST : end));
}

function marksIn(code: string, { skips, only, cuts, hides }: TestLanguage) {
  const kinds = [
    ["skipped", skips],
    ["only", only],
    ["cut_short", cuts],
    ["hidden", hides],
  ] as const;
  return kinds.flatMap(([kind, pattern]) =>
    pattern === undefined ? [] : indicesOf(code, pattern).map((index) => ({ kind, index })),
  );
}

function limitsIn(code: string) {
  const of = (pattern: RegExp, isUpper: boolean) =>
    [...code.matchAll(pattern)].map(({ index, groups }) => ({
      index,
      name: groups?.["name"] ?? "its time limit",
      value: Number(groups?.["value"]?.replaceAll("_", "")),
      isUpper,
    }));
  return [...of(UPPER_LIMITS, true), ...of(LAST_ARGUMENT, true), ...of(LOWER_LIMITS, false)];
}

function bodyOf(lines: readonly string[], title: string | null): ReadonlySet<string> {
  const words = lines.map((line) => squeezed(title === null ? line : line.split(title).join("")));
  return new Set(words.filter((line) => line.length >= DISTINCTIVE));
}
