import { safeLine } from "../safe-text/inline.ts";
import { withoutHiddenCharacters } from "../safe-text/without-hidden-characters.ts";
import { addressIn } from "./address-in.ts";

/** Characters. */
export const LONGEST_LESSON = 200;

/** Words that two lines share, of all their words, for them to say the same. */
const SAME = 0.8;

/** Returns why a line may not be proposed, for the model that wrote it; null where it may. */
export function lessonFault(line: string): string | null {
  if (/[\n\r]/.test(line)) return "It must be one line.";
  if (withoutHiddenCharacters(line) !== line) return "It contains characters that nobody sees.";
  if (!/^[\p{L}\p{N}`"']/u.test(line))
    return "Begin with a word: it becomes an item of a list, and is no heading, list or quotation of its own.";
  if (/\]\s*[([:]/.test(line)) return "It must contain no link and no address.";
  const address = addressIn(line);
  if (address !== null)
    return `It must contain no link and no address, and this reads like one: ${address}. Name a file, a command or a package without its host.`;
  if (safeLine(line) !== line)
    return "It must mention nobody, refer to no issue as closed, and contain no HTML, pictures or commands of mine. Write names of packages and code between backticks.";
  return null;
}

/** Returns whether the text says already what the line says, in the same words or nearly. */
export function isThere(line: string, text: string): boolean {
  const own = wordsOf(line);
  // A paragraph may be wrapped anywhere.
  if (` ${wordsOf(text).join(" ")} `.includes(` ${own.join(" ")} `)) return true;
  return text.split("\n").some((other) => share(new Set(own), new Set(wordsOf(other))) >= SAME);
}

function share(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = [...one].filter((word) => other.has(word)).length;
  return shared / (one.size + other.size - shared);
}

/** Returns the words of a lesson, without what two writings of the same words differ in. */
export function lessonKey(line: string): string {
  return wordsOf(line).join(" ");
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

const BRANCH = "flotilla/lesson-";

/**
 * Returns the branch of a lesson, so that GitHub itself tells whether the same words were proposed before. It contains no digit,
 * so no pattern reads it as the branch of an issue's agent. `digest` = that of its key, in hex.
 */
export function lessonBranch(digest: string): string {
  return BRANCH + digest.slice(0, 16).replaceAll(/\d/g, (digit) => "ghijklmnop".charAt(Number(digit)));
}

/** Returns true for the branch of any lesson. */
export function isLessonBranch(name: string): boolean {
  return new RegExp(`^${BRANCH}[a-p]{16}$`).test(name);
}
