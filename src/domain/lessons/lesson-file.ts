import { MOST_BYTES } from "../instructions/given-file.ts";
import type { Settings } from "../settings/settings.ts";

/** The file that gets the lessons: agents of every maker read it. */
export const LESSONS_FILE = "AGENTS.md";

const HEADING = "## Lessons";

/** Returns the file's text with one more item at the end of its section of lessons, which is made where it is missing. */
export function withLesson(text: string, lesson: string): string {
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text.split(/\r?\n/);
  const isCode = inFences(lines);
  const heading = lines.findIndex(
    (line, at) => isCode[at] === false && /^##[ \t]+Lessons[ \t#]*$/i.test(line),
  );
  if (heading === -1) {
    const before = text.trimEnd() === "" ? [] : [text.trimEnd(), ""];
    return [...before, HEADING, "", `- ${lesson}`, ""].join(end);
  }
  const next = lines.findIndex(
    (line, at) => at > heading && isCode[at] === false && /^#{1,2}[ \t]/.test(line),
  );
  const section = lines.slice(0, next === -1 ? lines.length : next);
  const last = section.findLastIndex((line) => line.trim() !== "");
  const isList = section.slice(last).some((line) => /^[ \t]*[-*+][ \t]/.test(line));
  const added = lines.toSpliced(last + 1, 0, ...(isList ? [] : [""]), `- ${lesson}`);
  return `${added.join(end).trimEnd()}${end}`;
}

/** Returns for each line whether it is in a fenced block of code, whose `#` are no headings. */
function inFences(lines: readonly string[]): readonly boolean[] {
  let fence: string | null = null;
  return lines.map((line) => {
    const mark: string | undefined = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === null) {
      fence = mark ?? null;
      return mark !== undefined;
    }
    if (mark?.startsWith(fence) === true && line.trim() === mark) fence = null;
    return true;
  });
}

/** Returns why a lesson in the file would not reach the repository's agents; null where it does. */
export function unreadLessons({ instructions }: Pick<Settings, "instructions">, text: string): string | null {
  const isRead = typeof instructions === "boolean" ? instructions : instructions.includes(LESSONS_FILE);
  if (!isRead) return `agents here do not read ${LESSONS_FILE} (\`instructions\`)`;
  // In UTF-8 a character has one byte or more.
  return text.length > MOST_BYTES - ROOM
    ? `${LESSONS_FILE} is so long that agents would not read a lesson at its end`
    : null;
}

/** Characters that a lesson needs at most, with its heading. */
const ROOM = 300;
