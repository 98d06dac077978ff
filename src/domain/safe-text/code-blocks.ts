/** A part of a Markdown text: a fenced code block with its fences, or the text between two blocks. */
export interface Block {
  readonly code: boolean;
  readonly lines: readonly string[];
}

interface Fence {
  /** The prefix of each of its lines: the signs of a quote, or up to three spaces within a list. */
  readonly prefix: string;
  readonly sign: string;
  readonly info: string;
}

/** A longer line of them is not meant as a fence. */
const OPENING = /^((?:> ?)*|> ?(?:> ?)* {1,3}| {1,3})(`{3,100}|~{3,100}(?!~))([^`]*)$/;

/** Lines of a block within a list or a quote. */
const MOST_LINES = 300;

/** Languages that GitHub draws as pictures, maps and formulas, with links of their own. */
const DRAWN = /^(?:mermaid|geojson|topojson|stl|math)$/i;

/**
 * Splits a text into blocks. Only what GitHub certainly shows as code counts as code: where a list or a quote could end
 * the block early it is text. A block without an end is closed at the end of the text, so that it does not include what
 * follows.
 */
export function codeBlocks(text: string): readonly Block[] {
  const blocks: Block[] = [];
  let plain: string[] = [];
  let next = 0;
  const lines = text.split("\n");
  for (const [at, line] of lines.entries()) {
    if (at < next) continue;
    const fence = fenceOf(line);
    const code = fence === null ? null : linesOf(fence, lines, at + 1);
    if (code === null) {
      plain.push(line);
      continue;
    }
    if (plain.length > 0) blocks.push({ code: false, lines: plain });
    plain = [];
    blocks.push({ code: true, lines: code.lines });
    next = code.next;
  }
  return plain.length > 0 ? [...blocks, { code: false, lines: plain }] : blocks;
}

function linesOf(
  { prefix, sign, info }: Fence,
  all: readonly string[],
  from: number,
): { readonly lines: readonly string[]; readonly next: number } | null {
  const lines = [`${prefix}${sign}${named(info)}`];
  const end = prefix === "" ? all.length : Math.min(all.length, from + MOST_LINES);
  for (let at = from; at < end; at += 1) {
    const line = String(all[at]);
    if (!line.startsWith(prefix) && line.trimEnd() !== prefix.trimEnd()) return null;
    lines.push(line);
    const rest = line.slice(prefix.length);
    if (!closes(rest, sign)) continue;
    // Within a list or a quote only a fence exactly below the opening certainly closes the block.
    return prefix !== "" && rest.startsWith(" ") ? null : { lines, next: at + 1 };
  }
  // The end of the text closes the block; within a list or a quote its end is uncertain.
  return prefix === "" ? { lines: [...lines, sign], next: all.length } : null;
}

function fenceOf(line: string): Fence | null {
  const [, prefix = "", sign, info = ""] = OPENING.exec(line) ?? [];
  return sign === undefined ? null : { prefix, sign, info };
}

/**
 * Returns true for a closing fence: at least as long as the opening, nothing else on the line, at most three spaces
 * before it.
 */
function closes(line: string, sign: string): boolean {
  const run = line.replace(/^ {0,3}/, "").replace(/(?<![ \t])[ \t]+$/, "");
  return run.length >= sign.length && run === sign.charAt(0).repeat(run.length);
}

/** Returns the language alone; empty for one that GitHub draws. */
function named(info: string): string {
  const word = info.trim().replace(/\s[^]*$/, "");
  if (DRAWN.test(word)) return "text";
  return /^[\w+#.-]{1,30}$/.test(word) ? word : "";
}
