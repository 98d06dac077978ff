/** A block of code between two fences: from and to in the text, and the word behind its first fence. */
export interface CodeBlock {
  readonly from: number;
  readonly to: number;
  readonly language: string;
}

const OPENING = /^(`{3,}|~{3,})([^`]*)$/;

/**
 * Blocks of code that are code wherever they stand: each fence is at the very start of a line after an empty one, so that
 * no list, quotation or HTML around it makes it something else, and has an end. An end is rather seen too early than too late.
 */
export function codeBlocks(text: string): readonly CodeBlock[] {
  const lines = text.split("\n");
  const blocks: CodeBlock[] = [];
  /** Fences that were looked for to the end of the text: a longer one has none either. */
  const endless: string[] = [];
  let from = 0;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const [, fence, language = ""] = OPENING.exec(line) ?? [];
    const free = at === 0 || lines[at - 1]?.trim() === "";
    if (free && fence !== undefined && !endless.some((one) => fence.startsWith(one))) {
      const last = endOf(lines, at, fence);
      if (last === -1) endless.push(fence);
      else {
        const to = from + lines.slice(at, last + 1).join("\n").length;
        blocks.push({ from, to, language });
        at = last;
        from = to + 1;
        continue;
      }
    }
    from += line.length + 1;
  }
  return blocks;
}

/** Index of the line that ends what begins at line `at`; -1 for none. */
function endOf(lines: readonly string[], at: number, fence: string): number {
  for (let last = at + 1; last < lines.length; last += 1) if (ends(lines[last] ?? "", fence)) return last;
  return -1;
}

function ends(line: string, fence: string): boolean {
  const text = line.replace(/^ {0,3}/, "");
  return text.startsWith(fence) && /^[`~]+[ \t]*$/.test(text);
}
