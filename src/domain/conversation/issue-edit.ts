import { visibleText } from "../messages/visible-text.ts";

/** Characters shown of each side of an edit. */
const SHOWN = 2_000;

export interface IssueTexts {
  readonly title: string;
  readonly body: string;
}

/**
 * Returns what an edit changed, for an agent: the old and the new title, and the lines between the first and last
 * change. Empty when no visible text changed.
 */
export function issueEdit(was: IssueTexts, now: IssueTexts): string {
  // As a whole: a single line of a hidden passage does not look hidden.
  const [from, to] = [visibleText(was.title), visibleText(now.title)];
  const title = from === to ? [] : [`The title was "${cut(from)}" and is now "${cut(to)}".`];
  return [...title, ...body(lines(visibleText(was.body)), lines(visibleText(now.body)))].join("\n\n");
}

function body(was: readonly string[], now: readonly string[]): readonly string[] {
  const first = was.findIndex((line, index) => line !== now[index]);
  const start = first === -1 ? was.length : first;
  let end = 0;
  while (end < Math.min(was.length, now.length) - start && was.at(-1 - end) === now.at(-1 - end)) end += 1;
  const gone = was.slice(start, was.length - end);
  const come = now.slice(start, now.length - end);
  return [
    ...(gone.length === 0 ? [] : [`Taken out of the text:\n${quoted(gone)}`]),
    ...(come.length === 0 ? [] : [`Put into the text:\n${quoted(come)}`]),
  ];
}

function lines(text: string): readonly string[] {
  return text === "" ? [] : text.split("\n");
}

function quoted(some: readonly string[]): string {
  return cut(some.map((line) => `> ${line}`).join("\n"));
}

function cut(text: string): string {
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}… [${text.length - SHOWN} more characters]`;
}
