import type { ChangedFile, FileContent } from "../ports/worktrees.ts";
import { type Pair, type PlacedRegion, pairTests } from "./pair-tests.ts";
import { roleOf, settingLines, type TestRole } from "./test-files.ts";
import { languageOf, type TestLanguage } from "./test-languages.ts";
import { type Mark, testRegions } from "./test-regions.ts";

/** One way in which a change may weaken the tests. */
export interface Finding {
  readonly path: string;
  /** After the change; before it, for what is gone. Null where it is about the whole file. */
  readonly line: number | null;
  readonly kind:
    | "test_gone"
    | "assertions"
    | "cases"
    | Mark["kind"]
    | "limit"
    | "snapshot"
    | "configuration"
    | "data"
    | "unread";
  /** In words that follow the path; they quote the file. */
  readonly what: string;
}

/** What is read of a change to look for weakened tests; a file beyond is a finding of its own. */
export const TEST_BOUNDS = { files: 1000, fileBytes: 256 * 1024, bytes: 4 * 1024 * 1024 } as const;
/** More tests in one change are not compared. */
const MOST_TESTS = 20_000;
/** Characters of a line of a file that are shown. */
const QUOTED = 80;

/** Returns whether a file concerns the tests of its repository, so that its text is needed. */
export const concernsTests = (path: string): boolean => roleOf(path) !== null;

/**
 * Compares the files of a change before and after it. `approved` = paths that a person has allowed to change as they
 * are: what they configure is no finding. Deterministic: the same change has the same findings in the same order.
 */
export function weakenedTests(
  files: readonly ChangedFile[],
  approved: ReadonlySet<string>,
): readonly Finding[] {
  const known = files.flatMap((file) => {
    const role = roleOf(file.path);
    return role === null || (approved.has(file.path) && role !== "tests") ? [] : [{ ...file, role }];
  });
  const languages = new Map<TestLanguage, TestFile[]>();
  for (const file of known) {
    const language = file.role === "tests" ? languageOf(file.path) : undefined;
    if (language !== undefined) languages.set(language, [...(languages.get(language) ?? []), file]);
  }
  const found = [
    ...known.flatMap(unreadFindings),
    ...[...languages].flatMap(([language, of]) => languageFindings(of, language)),
    ...snapshotFindings(known.filter(({ role }) => role === "snapshot")),
    ...dataFindings(known.filter(({ role }) => role === "data")),
    ...known.flatMap(settingFindings),
  ];
  return found.toSorted((one, other) => order(one.path, other.path) || Number(one.line) - Number(other.line));
}

const order = (one: string, other: string) => Number(one > other) - Number(one < other);

type TestFile = ChangedFile & { readonly role: TestRole };

const UNREAD: Readonly<Record<Exclude<FileContent["kind"], "text">, string>> = {
  link: "a link",
  repository: "another repository",
  binary: "a binary file",
  large: "too large to compare",
  beyond: "not compared, because the change has too many files for that",
};

/** A file of tests, or of their settings, that has no text is a finding: nobody can say what it lacks. */
function unreadFindings({ path, before, after, role }: TestFile): readonly Finding[] {
  if (role === "data" || role === "snapshot") return [];
  const unread = (what: string): readonly Finding[] => [{ path, line: null, kind: "unread", what }];
  if (after !== null && after.kind !== "text") return unread(`it is ${UNREAD[after.kind]}`);
  return before !== null && before.kind !== "text"
    ? unread(`before the change it was ${UNREAD[before.kind]}`)
    : [];
}

const textOf = (content: ChangedFile["before"]) => (content?.kind === "text" ? content.text : null);

const quoted = (text: string) => JSON.stringify(text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text);

function languageFindings(files: readonly TestFile[], language: TestLanguage): readonly Finding[] {
  const regionsOf = (side: "before" | "after") =>
    files.flatMap(({ path, [side]: content }): readonly PlacedRegion[] => {
      const text = textOf(content);
      const isNamed = language.named.test(path);
      return text === null
        ? []
        : testRegions(text, language, !isNamed && !language.places.test(path)).map((region) => ({
            ...region,
            path,
            isNamed,
          }));
    });
  const [before, after] = [regionsOf("before"), regionsOf("after")];
  if (before.length > MOST_TESTS || after.length > MOST_TESTS)
    return [
      {
        path: String(files[0]?.path),
        line: null,
        kind: "unread",
        what: `one of ${files.length} files with more tests than can be compared`,
      },
    ];
  const { pairs, added } = pairTests(before, after);
  return [
    ...pairs.flatMap(goneFinding),
    ...assertionFindings(pairs, after),
    ...pairs.flatMap(caseFinding),
    ...pairs.flatMap(limitFindings),
    ...markFindings(pairs, added),
  ];
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
  for (const one of some) counts.set(one, (counts.get(one) ?? 0) + 1);
  for (const one of others) counts.set(one, (counts.get(one) ?? 0) - 1);
  return counts;
}

const assertionsOf = (regions: readonly PlacedRegion[]) => regions.flatMap(({ assertions }) => assertions);

/** An assertion that another test has instead, or a function outside of tests, is not missed. */
function assertionFindings(pairs: readonly Pair[], after: readonly PlacedRegion[]): readonly Finding[] {
  const gone = surplus(assertionsOf(pairs.map(({ before }) => before)), assertionsOf(after));
  return pairs.flatMap(({ before, after: now }): readonly Finding[] => {
    if (now === null && before.title !== null) return [];
    const [had, has] = [before.assertions, now?.assertions ?? []];
    const strong = had.length - before.weak - (has.length - (now?.weak ?? 0));
    let missed = 0;
    for (const [text, count] of surplus(had, has)) {
      const here = Math.max(0, Math.min(count, Number(gone.get(text))));
      gone.set(text, Number(gone.get(text)) - here);
      missed += here;
    }
    const lost = Math.min(missed, Math.max(had.length - has.length, strong));
    if (lost <= 0) return [];
    const [{ path, line }, count] = [now ?? before, has.length];
    const what =
      count < had.length
        ? `${named(before)} has ${count} ${count === 1 ? "assertion" : "assertions"} instead of ${had.length}`
        : `${named(before)}: ${lost} of ${had.length} assertions check less than before`;
    return [{ path, line, kind: "assertions", what }];
  });
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
  return after.limits.flatMap(({ name, value, line, isUpper }): readonly Finding[] => {
    const had = before.limits.filter((one) => one.name === name).map((one) => one.value);
    const was = isUpper ? Math.max(...had) : Math.min(...had);
    const isWeaker = had.length === 0 ? isUpper : isUpper ? value > was : value < was;
    const instead = had.length === 0 ? ", which was not set before" : ` instead of ${was}`;
    return isWeaker
      ? [{ path: after.path, line, kind: "limit", what: `${named(before)}: ${name} is ${value}${instead}` }]
      : [];
  });
}

/** Marks of a test that is new count only where it does not run at all, or keeps others from running. */
function markFindings(pairs: readonly Pair[], added: readonly PlacedRegion[]): readonly Finding[] {
  const ofNew = added.flatMap(({ path, marks, title }) =>
    marks
      .filter(({ kind }) => kind === "skipped" || kind === "only" || (title === null && kind === "cut_short"))
      .map((mark) => ({ path, mark, title })),
  );
  const ofKept = pairs.flatMap(({ before, after }) => {
    if (after === null) return [];
    const had = after.marks.map(keyOf);
    const left = surplus(before.marks.map(keyOf), []);
    return after.marks.flatMap((mark, index) => {
      const count = left.get(String(had[index])) ?? 0;
      left.set(String(had[index]), count - 1);
      return count > 0 ? [] : [{ path: after.path, mark, title: after.title }];
    });
  });
  return [...ofKept, ...ofNew].filter(isMeant).map(({ path, mark: { kind, line, text } }) => ({
    path,
    line,
    kind,
    what: `${MARKED[kind]}: ${quoted(text)}`,
  }));
}

/** Functions outside of tests return. */
const isMeant = ({ title, mark }: { readonly title: string | null; readonly mark: Mark }) =>
  title !== null || !mark.text.startsWith("return");

/** The words of a skip may name the test, which may have another title now. */
const keyOf = ({ kind, text }: Mark) => `${kind} ${text.replace(/["'`].*$/, "")}`;

const MARKED: Readonly<Record<Mark["kind"], string>> = {
  skipped: "does not run",
  only: "keeps others from running",
  cut_short: "ends early, or has a part that never runs",
  hidden: "hides a failure",
};

const linesIn = (content: ChangedFile["before"]) => textOf(content)?.split(/\r?\n/) ?? [];

/** New snapshots, new lines of one, and snapshots in another place are no findings. */
function snapshotFindings(files: readonly TestFile[]): readonly Finding[] {
  const gone = surplus(
    files.flatMap(({ before }) => linesIn(before)),
    files.flatMap(({ after }) => linesIn(after)),
  );
  const isKept = keptContent(files);
  return files.flatMap(({ path, before, after }): readonly Finding[] => {
    if (before === null || isKept(before)) return [];
    const finding = (what: string): readonly Finding[] => [{ path, line: null, kind: "snapshot", what }];
    const lines = linesIn(before).filter((line) => line.trim() !== "");
    const count = lines.filter((line) => Number(gone.get(line)) > 0).length;
    const isText = before.kind === "text" && (after === null || after.kind === "text");
    if (isText && count === 0) return [];
    if (after === null) return finding("a snapshot is gone");
    return finding(
      isText
        ? `a snapshot is rewritten: ${count} of ${lines.length} lines changed or are gone`
        : "a snapshot is rewritten",
    );
  });
}

/** Data of tests is missed where no file has its content now. */
function dataFindings(files: readonly TestFile[]): readonly Finding[] {
  const isKept = keptContent(files);
  return files.flatMap(({ path, before, after }): readonly Finding[] => {
    if (before === null || isKept(before)) return [];
    const finding = (what: string): readonly Finding[] => [{ path, line: null, kind: "data", what }];
    if (after === null) return finding("data of the tests is gone");
    const isLed = after.kind === "link" || after.kind === "repository";
    return isLed && after.kind !== before.kind
      ? finding(`data of the tests is ${UNREAD[after.kind]} now`)
      : [];
  });
}

function keptContent(files: readonly TestFile[]): (before: FileContent) => boolean {
  const ids = new Set(files.map(({ after }) => after?.id));
  return ({ id }) => ids.has(id);
}

function settingFindings({ path, before, after, role }: TestFile): readonly Finding[] {
  const isWhole = role === "configuration";
  if (!isWhole && role !== "settings") return [];
  const [had, has] = [textOf(before), textOf(after)];
  if ((before !== null && had === null) || (after !== null && has === null)) return [];
  const finding = (what: string): readonly Finding[] => [{ path, line: null, kind: "configuration", what }];
  if (had === null) return isWhole ? finding("a new file configures how tests run") : [];
  const old = settingLines(path, had);
  if (has === null) return old.length === 0 ? [] : finding("it configured how tests run, and is gone");
  const now = settingLines(path, has);
  if (old.join("\n") === now.join("\n")) return [];
  const [lost, gained] = [first(old, now), first(now, old)];
  if (lost === undefined && gained === undefined) return finding("how tests run: the order of lines changed");
  if (lost === undefined) return finding(`how tests run: ${quoted(String(gained))} is new`);
  return finding(
    gained === undefined
      ? `how tests run: ${quoted(lost)} is gone`
      : `how tests run: ${quoted(lost)} became ${quoted(gained)}`,
  );
}

const first = (some: readonly string[], others: readonly string[]) => {
  const known = new Set(others);
  return some.find((line) => !known.has(line));
};
