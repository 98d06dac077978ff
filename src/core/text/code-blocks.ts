/** A block of code between two fences: from and to in the text, and the word behind its first fence. */
export interface CodeBlock {
  readonly from: number;
  readonly to: number;
  readonly language: string;
}

const OPENING = /^(?:`{3,}[^`]*|~{3}[^`]*)$/;

/**
 * Blocks of code that are code wherever they stand: each fence is at the very start of a line after an empty one, so that
 * no list, quotation or HTML around it makes it something else, and has an end. An end is rather seen too early than too late.
 */
export function codeBlocks(text: string): readonly CodeBlock[] {
  const lines = text.split("\n");
  const blocks: CodeBlock[] = [];
  /** The last line that ends each kind of fence, looked for once. */
  const lastEnds = new Map<string, number>();
  let start = 0;
  let free = true;
  let inside: { readonly from: number; readonly fence: string; readonly language: string } | null = null;
  for (const [at, line] of lines.entries()) {
    if (inside !== null && ends(line, inside.fence)) {
      blocks.push({ from: inside.from, to: start + line.length, language: inside.language });
      inside = null;
    } else if (inside === null && free && OPENING.test(line)) {
      const fence = line.replace(/^(`+|~+)[^]*$/, "$1");
      const lastEnd = lastEnds.get(fence) ?? lines.findLastIndex((one) => ends(one, fence));
      lastEnds.set(fence, lastEnd);
      if (lastEnd > at) inside = { from: start, fence, language: line.slice(fence.length) };
    }
    free = line.trim() === "";
    start += line.length + 1;
  }
  return blocks;
}

function ends(line: string, fence: string): boolean {
  const text = line.replace(/^ {0,3}/, "");
  return text.startsWith(fence) && /^[`~]+[ \t]*$/.test(text);
}
