import type { ChangedFile, FileContent } from "../ports/changed-file.ts";
import { count, lengthOf, textOf } from "./file-content.ts";
import { type Finding, quoted } from "./finding.ts";
import { languageFindings } from "./language-findings.ts";
import type { Sliced } from "./sliced.ts";
import { countsNew, roleOf, settingLines, type TestRole } from "./test-files.ts";
import { languageOf, type TestLanguage } from "./test-languages.ts";

/** What is read of a change to look for weakened tests; a file beyond is a finding of its own. */
export const TEST_BOUNDS = { files: 1000, fileBytes: 256 * 1024, bytes: 4 * 1024 * 1024 } as const;

/** Returns whether a file concerns the tests of its repository, so that its text is needed. */
export const concernsTests = (path: string): boolean => roleOf(path) !== null;

/** Findings that are named of one file, and of the change; the last of a longer list says how many are not. */
const MOST_OF_FILE = 100;
const MOST_FINDINGS = 2000;

/**
 * Compares the files of a change before and after it. `approved` = paths that a person has allowed to change as they
 * are: what they configure is no finding. Deterministic: the same change has the same findings in the same order.
 */
export function* weakenedTests(
  files: readonly ChangedFile[],
  approved: ReadonlySet<string>,
): Sliced<readonly Finding[]> {
  const known = files.flatMap((file) => {
    const role = roleOf(file.path);
    return role === null || (approved.has(file.path) && role !== "tests") ? [] : [{ ...file, role }];
  });
  const languages = new Map<TestLanguage, TestFile[]>();
  for (const file of known) {
    const language = file.role === "tests" ? languageOf(file.path) : undefined;
    if (language !== undefined) languages.set(language, [...(languages.get(language) ?? []), file]);
  }
  let found = known.flatMap(unreadFindings);
  for (const [language, of] of languages) found = [...found, ...(yield* languageFindings(of, language))];
  const snapshots = yield* snapshotFindings(known.filter(({ role }) => role === "snapshot"));
  found = [...found, ...snapshots, ...dataFindings(known.filter(({ role }) => role === "data"))];
  for (const file of known) {
    found.push(...settingFindings(file));
    yield lengthOf(file.before) + lengthOf(file.after);
  }
  return yield* listed(found);
}

/** Sorts the findings by file and line, and cuts what nobody would read. */
function* listed(found: readonly Finding[]): Sliced<readonly Finding[]> {
  const files = Map.groupBy(found, ({ path }) => path);
  const list: Finding[] = [];
  for (const path of [...files.keys()].toSorted()) {
    const all = (files.get(path) ?? []).toSorted((one, other) => Number(one.line) - Number(other.line));
    yield all.length;
    list.push(...all.slice(0, MOST_OF_FILE));
    if (all.length > MOST_OF_FILE) list.push(more(path, all.length - MOST_OF_FILE));
  }
  const next = list[MOST_FINDINGS];
  return next === undefined ? list : [...list.slice(0, MOST_FINDINGS), more(next.path, "all")];
}

const more = (path: string, beyond: number | "all"): Finding => ({
  path,
  line: null,
  kind: "more",
  what: beyond === "all" ? "this file and all after it have more" : `${beyond} more, from here on`,
});

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

const linesIn = (content: ChangedFile["before"]) => textOf(content)?.split(/\r?\n/) ?? [];

/** New snapshots, new lines of one, and snapshots in another place are no findings. */
function* snapshotFindings(files: readonly TestFile[]): Sliced<readonly Finding[]> {
  const gone = new Map<string, number>();
  for (const { before, after } of files) {
    count(gone, linesIn(before), 1);
    count(gone, linesIn(after), -1);
    yield lengthOf(before) + lengthOf(after);
  }
  const isKept = keptContent(files);
  const found: Finding[] = [];
  for (const file of files) {
    found.push(...snapshotFinding(file, gone, isKept));
    yield lengthOf(file.before);
  }
  return found;
}

function snapshotFinding(
  { path, before, after }: TestFile,
  gone: ReadonlyMap<string, number>,
  isKept: (before: FileContent) => boolean,
): readonly Finding[] {
  if (before === null || isKept(before)) return [];
  const finding = (what: string): readonly Finding[] => [{ path, line: null, kind: "snapshot", what }];
  const lines = linesIn(before).filter((line) => line.trim() !== "");
  const lost = lines.filter((line) => Number(gone.get(line)) > 0).length;
  const isText = before.kind === "text" && (after === null || after.kind === "text");
  if (isText && lost === 0) return [];
  if (after === null) return finding("a snapshot is gone");
  return finding(
    isText
      ? `a snapshot is rewritten: ${lost} of ${lines.length} lines changed or are gone`
      : "a snapshot is rewritten",
  );
}

/** Data of tests is missed where no file has its content now. */
function dataFindings(files: readonly TestFile[]): readonly Finding[] {
  const isKept = keptContent(files);
  return files.flatMap(({ path, before, after }): readonly Finding[] => {
    if (before === null || isKept(before)) return [];
    const finding = (what: string): readonly Finding[] => [{ path, line: null, kind: "data", what }];
    if (after === null) return finding("test data is gone");
    const isLed = after.kind === "link" || after.kind === "repository";
    return isLed && after.kind !== before.kind ? finding(`test data is ${UNREAD[after.kind]} now`) : [];
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
  if (had === null) {
    const isFound = isWhole || (countsNew(path) && settingLines(path, String(has)).length > 0);
    return isFound ? finding("a new file configures how tests run") : [];
  }
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
