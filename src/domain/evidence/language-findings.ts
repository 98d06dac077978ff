import type { ChangedFile } from "../ports/changed-file.ts";
import { count, textOf } from "./file-content.ts";
import { type Finding, quoted } from "./finding.ts";
import { type Pair, type PlacedRegion, pairTests } from "./pair-tests.ts";
import type { Sliced } from "./sliced.ts";
import type { TestLanguage } from "./test-languages.ts";
import { type Mark, testRegions } from "./test-regions.ts";

/** More tests in one change are not compared. */
const MOST_TESTS = 20_000;

/** Compares the tests in the files of one language. */
export function* languageFindings(
  files: readonly ChangedFile[],
  language: TestLanguage,
): Sliced<readonly Finding[]> {
  const before = yield* regionsOf(files, "before", language);
  const after = yield* regionsOf(files, "after", language);
  if (before.length > MOST_TESTS || after.length > MOST_TESTS)
    return [
      {
        path: String(files[0]?.path),
        line: null,
        kind: "unread",
        what: `one of ${files.length} files with more tests than can be compared`,
      },
    ];
  const { pairs, added } = yield* pairTests(before, after);
  const found: Finding[] = [];
  const add = (all: readonly Finding[]) => {
    for (const one of all) found.push(one);
  };
  add(yield* assertionFindings(pairs, after));
  for (const pair of pairs) {
    add([...goneFinding(pair), ...caseFinding(pair), ...limitFindings(pair), ...markFindings(pair)]);
    yield 1 + linesOf(pair.before) + linesOf(pair.after);
  }
  for (const region of added) {
    add(addedFindings(region));
    yield 1 + linesOf(region);
  }
  return found;
}

function* regionsOf(
  files: readonly ChangedFile[],
  side: "before" | "after",
  language: TestLanguage,
): Sliced<readonly PlacedRegion[]> {
  const regions: PlacedRegion[] = [];
  for (const { path, [side]: content } of files) {
    const text = textOf(content);
    if (text === null) continue;
    const isNamed = language.named.test(path);
    const isElsewhere = !isNamed && !language.places.test(path);
    for (const region of yield* testRegions(text, language, isElsewhere))
      regions.push({ ...region, path, isNamed: isNamed && language.passedOver?.test(path) !== true });
  }
  return regions;
}

function goneFinding({ before: { path, line, title }, after }: Pair): readonly Finding[] {
  return title === null || after !== null
    ? []
    : [{ path, line, kind: "test_gone", what: `the test ${quoted(title)} is gone` }];
}

const named = ({ title }: Pick<PlacedRegion, "title">) =>
  title === null ? "outside of tests" : quoted(title);

/** Counts the texts of which `some` has more than `others`. */
function surplus(some: readonly string[], others: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  count(counts, some, 1);
  count(counts, others, -1);
  return counts;
}

/** An assertion that another test has instead, or a function outside of tests, is not missed. */
function* assertionFindings(
  pairs: readonly Pair[],
  after: readonly PlacedRegion[],
): Sliced<readonly Finding[]> {
  const gone = new Map<string, number>();
  for (const { before } of pairs) {
    count(gone, before.assertions, 1);
    yield 1 + before.assertions.length;
  }
  for (const { assertions } of after) {
    count(gone, assertions, -1);
    yield 1 + assertions.length;
  }
  const found: Finding[] = [];
  for (const { before, after: now } of pairs) {
    yield 1 + before.assertions.length + (now?.assertions.length ?? 0);
    if (now === null && before.title !== null) continue;
    const [had, has] = [before.assertions, now?.assertions ?? []];
    const strong = had.length - before.weak - (has.length - (now?.weak ?? 0));
    let missed = 0;
    for (const [text, times] of surplus(had, has)) {
      const here = Math.max(0, Math.min(times, Number(gone.get(text))));
      gone.set(text, Number(gone.get(text)) - here);
      missed += here;
    }
    const lost = Math.min(missed, Math.max(had.length - has.length, strong));
    if (lost <= 0) continue;
    const { path, line } = now ?? before;
    const what =
      has.length < had.length
        ? `${named(before)} has ${has.length} ${has.length === 1 ? "assertion" : "assertions"} instead of ${had.length}`
        : `${named(before)}: ${lost} of ${had.length} assertions check less than before`;
    found.push({ path, line, kind: "assertions", what });
  }
  return found;
}

function caseFinding({ before, after }: Pair): readonly Finding[] {
  if (after === null || after.cases >= before.cases) return [];
  const { path, line } = after;
  return [
    {
      path,
      line,
      kind: "cases",
      what: `${named(before)} has ${after.cases} cases instead of ${before.cases}`,
    },
  ];
}

function limitFindings({ before, after }: Pair): readonly Finding[] {
  if (after === null) return [];
  const were = new Map<string, number>();
  for (const { name, value, isUpper } of before.limits) {
    const was = were.get(name) ?? value;
    were.set(name, isUpper ? Math.max(was, value) : Math.min(was, value));
  }
  return after.limits.flatMap(({ name, value, line, isUpper }): readonly Finding[] => {
    const was = were.get(name);
    const isWeaker = was === undefined ? isUpper : isUpper ? value > was : value < was;
    const instead = was === undefined ? ", which was not set before" : ` instead of ${was}`;
    return isWeaker
      ? [{ path: after.path, line, kind: "limit", what: `${named(before)}: ${name} is ${value}${instead}` }]
      : [];
  });
}

function markFindings({ before, after }: Pair): readonly Finding[] {
  if (after === null) return [];
  const left = surplus(before.marks.map(keyOf), []);
  const { path, title } = after;
  return after.marks.flatMap((mark) => {
    const key = keyOf(mark);
    const times = left.get(key) ?? 0;
    left.set(key, times - 1);
    return times > 0 ? [] : marked(path, title, mark);
  });
}

/** Marks of a test that is new count only where it does not run at all, or keeps others from running. */
function addedFindings({ path, marks, title }: PlacedRegion): readonly Finding[] {
  return marks
    .filter(({ kind }) => kind === "skipped" || kind === "only" || (title === null && kind === "cut_short"))
    .flatMap((mark) => marked(path, title, mark));
}

/** Functions outside of tests return: that is no finding. */
function marked(path: string, title: string | null, { kind, line, text }: Mark): readonly Finding[] {
  if (title === null && text.startsWith("return")) return [];
  return [{ path, line, kind, what: `${MARKED[kind]}: ${quoted(text)}` }];
}

const linesOf = (region: PlacedRegion | null) =>
  region === null ? 0 : region.marks.length + region.limits.length;

/** The words of a skip may name the test, which may have another title now. */
const keyOf = ({ kind, text }: Mark) => `${kind} ${text.replace(/["'`].*$/, "")}`;

const MARKED: Readonly<Record<Mark["kind"], string>> = {
  skipped: "does not run",
  only: "keeps others from running",
  cut_short: "ends early, or has a part that never runs",
  hidden: "may hide a failure",
};
