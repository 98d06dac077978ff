import { type PlainCode, plainCode } from "./plain-code.ts";
import type { Sliced } from "./sliced.ts";
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
export function* testRegions(
  source: string,
  language: TestLanguage,
  isElsewhere = false,
): Sliced<readonly Region[]> {
  const views = plainCode(source, language.syntax);
  yield source.length;
  const inside = isElsewhere ? (language.inside?.exec(views.code)?.index ?? views.code.length) : 0;
  // What is before it stays as blank lines, so that lines keep their numbers.
  const code = views.code.slice(0, inside).replace(/[^\n]/g, " ") + views.code.slice(inside);
  const { text } = views;
  const lines = text.split("\n");
  const starts = lineStarts(lines);
  yield source.length;
  const lineAt = (index: number) => lastUpTo(starts, index);
  const restOfLine = (index: number) =>
    squeezed(text.slice(index, index + 2 * LONGEST).replace(/\n[^]*/, ""));
  const first = lineAt(inside);
  const all = [{ from: first, line: first, last: first, title: null as string | null }];
  for (const found of yield* matchesOf(code, language.tests)) {
    const line = lineAt(found.index);
    const last = lineAt(found.index + found[0].length);
    const title = titleOf(found, { text, code });
    all.push({ from: firstAnnotation(lines, line, language), line, last, title });
    yield LONGEST_TABLE;
  }
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
  const assertions: { readonly region: number; readonly asserted: string; readonly isWeak: boolean }[] = [];
  for (const { index } of yield* matchesOf(code, language.assertions)) {
    yield LONGEST;
    const asserted = restOfLine(index);
    if (!language.empty.test(asserted))
      assertions.push({ region: regionAt(index), asserted, isWeak: language.weak.test(asserted) });
  }
  const cases = Map.groupBy(yield* matchesOf(code, language.cases), ({ index }) => regionAt(index));
  const marks: { readonly region: number; readonly mark: Mark }[] = [];
  for (const { kind, index } of yield* marksIn({ text, code }, language)) {
    yield LONGEST;
    const mark = { kind, line: lineAt(index) + 1, text: restOfLine(index) };
    marks.push({ region: regionOfMark(index), mark });
  }
  const limits = Map.groupBy(yield* limitsIn(code), ({ index }) => regionAt(index));
  const [assertionsOf, marksOf] = [
    Map.groupBy(assertions, ({ region }) => region),
    Map.groupBy(marks, ({ region }) => region),
  ];
  const regions: Region[] = [];
  for (const [region, { from, line, title }] of all.entries()) {
    const own = lines.slice(from, all[region + 1]?.from);
    const asserted = assertionsOf.get(region) ?? [];
    regions.push({
      title,
      line: line + 1,
      assertions: asserted.map((one) => one.asserted),
      weak: asserted.filter(({ isWeak }) => isWeak).length,
      cases: cases.get(region)?.length ?? 0,
      marks: (marksOf.get(region) ?? []).map(({ mark }) => mark),
      limits: (limits.get(region) ?? []).map(({ index, ...limit }) => ({
        ...limit,
        line: lineAt(index) + 1,
      })),
      body: bodyOf(own, title),
    });
    yield own.reduce((sum, one) => sum + one.length, 1);
  }
  return regions;
}

const squeezed = (text: string) => text.replace(/\s+/g, " ").trim().slice(0, LONGEST);

function* matchesOf(code: string, pattern: RegExp): Sliced<readonly RegExpExecArray[]> {
  const matches = [...code.matchAll(pattern)];
  yield code.length;
  return matches;
}

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

type Found = Pick<Mark, "kind"> & { readonly index: number };

function* marksIn(
  { text, code }: PlainCode,
  { skips, only, cuts, hides, ownTools }: TestLanguage,
): Sliced<readonly Found[]> {
  const kinds = [
    ["skipped", skips, code],
    ["only", only, code],
    ["cut_short", cuts, code],
    ["hidden", hides, code],
    ["hidden", ownTools, text],
  ] as const;
  const found: Found[] = [];
  for (const [kind, pattern, view] of kinds)
    if (pattern !== undefined)
      for (const { index } of yield* matchesOf(view, pattern)) found.push({ kind, index });
  return found;
}

type FoundLimit = Omit<Limit, "line"> & { readonly index: number };

function* limitsIn(code: string): Sliced<readonly FoundLimit[]> {
  return [
    ...limitsOf(yield* matchesOf(code, UPPER_LIMITS), true),
    ...limitsOf(yield* matchesOf(code, LAST_ARGUMENT), true),
    ...limitsOf(yield* matchesOf(code, LOWER_LIMITS), false),
  ];
}

const limitsOf = (matches: readonly RegExpExecArray[], isUpper: boolean): readonly FoundLimit[] =>
  matches.map(({ index, groups }) => ({
    index,
    name: groups?.["name"] ?? "its time limit",
    value: Number(groups?.["value"]?.replaceAll("_", "")),
    isUpper,
  }));

function bodyOf(lines: readonly string[], title: string | null): ReadonlySet<string> {
  const words = lines.map((line) => squeezed(title === null ? line : line.split(title).join("")));
  return new Set(words.filter((line) => line.length >= DISTINCTIVE));
}
