/** Characters of each side of an edit that are told. */
const SHOWN = 2_000;

export interface IssueTexts {
  readonly title: string;
  readonly body: string;
}

/** What an edit changed, for an agent: the old and the new title, and the lines between the first and last change. Empty when nothing did. */
export function issueEdit(was: IssueTexts, now: IssueTexts): string {
  const title =
    was.title === now.title ? [] : [`The title was "${cut(was.title)}" and is now "${cut(now.title)}".`];
  return [...title, ...body(lines(was.body), lines(now.body))].join("\n\n");
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
  return text === "" ? [] : text.replaceAll("\r\n", "\n").split("\n");
}

function quoted(some: readonly string[]): string {
  return cut(some.map((line) => `> ${line}`).join("\n"));
}

function cut(text: string): string {
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}… [${text.length - SHOWN} more characters]`;
}
