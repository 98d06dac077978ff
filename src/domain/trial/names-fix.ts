import type { IssueText } from "./as-it-was.ts";

/** What would tell an agent where to find the real change. */
interface FixNames {
  readonly pull: number;
  readonly branch: string;
  readonly commits: readonly string[];
}

/** Shorter beginnings of a commit's id are words and numbers too. */
const SHORTEST_ID = 7;
/** Branches of one short word are named in texts about other things. */
const SHORTEST_BRANCH = 8;

/** Returns what in the text names the real change; null for nothing. */
export function namesFix(text: IssueText, { pull, branch, commits }: FixNames): string | null {
  const all = wholeText(text);
  if (new RegExp(`(?:#|/pull/)${pull}(?!\\d)`).test(all)) return `#${pull}`;
  const ids = all.toLowerCase().match(/(?<![0-9a-z])[0-9a-f]{7,64}(?![0-9a-z])/g) ?? [];
  const id = ids.find((one) => one.length >= SHORTEST_ID && commits.some((commit) => commit.startsWith(one)));
  if (id !== undefined) return id;
  return branch.length >= SHORTEST_BRANCH && all.includes(branch) ? branch : null;
}

/** Characters that a line of code must have to be more than punctuation or a common word. */
const LEAST_OF_LINE = 16;

/**
 * Returns whether the text has at least half of the lines that the patch adds outside of tests: then an agent would copy them.
 * Lines that are short in any code do not count.
 */
export function holdsFix(text: IssueText, patch: string, tests: readonly string[]): boolean {
  const added = addedLines(patch, new Set(tests));
  const known = new Set(wholeText(text).split("\n").map(flat));
  const told = added.filter((line) => known.has(line));
  return added.length > 0 && 2 * told.length >= added.length;
}

function addedLines(patch: string, tests: ReadonlySet<string>): readonly string[] {
  let path = "";
  const added = patch.split("\n").flatMap((line) => {
    if (line.startsWith("+++ ")) path = line.slice("+++ b/".length);
    else if (line.startsWith("+") && !tests.has(path)) return [flat(line.slice(1))];
    return [];
  });
  return [...new Set(added)].filter((line) => line.length >= LEAST_OF_LINE);
}

/** Without the marks that a patch, a quotation or a list puts before a line. */
const flat = (line: string): string =>
  line
    .replace(/^[\s>+*-]+/, "")
    .replace(/\s+/g, " ")
    .trimEnd();

const wholeText = ({ title, body, comments }: IssueText): string =>
  [title, body, ...comments.map((comment) => comment.body)].join("\n").replaceAll("\r\n", "\n");
