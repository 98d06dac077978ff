import { fromMarkdown } from "mdast-util-from-markdown";

/** Characters that are parsed: a command is at the beginning, and nesting costs the square of the length. */
const LOOKED_AT = 4096;

/** Lines that are parsed: alternating quotes and lists cost the square of their number. */
const LINES = 200;

/** A line with so many nested quotes and lists: nobody writes one, and each costs a parse of the rest. */
const TOO_DEEP = /^(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]))){12}/m;

/** Inline rules are off: only blocks matter here, and parsing inside a line can take more than a second. */
const INLINE = [
  "attention",
  "autolink",
  "characterEscape",
  "characterReference",
  "codeText",
  "definition",
  "hardBreakEscape",
  "htmlText",
  "labelEnd",
  "labelStartImage",
  "labelStartLink",
];

/** Whole HTML comments and nothing else, as a browser reads them. */
const COMMENTS = /^\s*(?:<!--(?!-?>)(?:(?!--!?>)[^])*-->\s*)+$/;

export interface ShownLines {
  /** The first line that GitHub shows outside code, quotes and HTML comments; null where it is not plain text. */
  readonly first: number | null;
  /** All lines of paragraphs that are nested in nothing. */
  readonly plain: readonly number[];
}

/** Returns which lines of a comment GitHub shows as plain text, counted from 0. Reads its beginning only. */
export function shownLines(lines: readonly string[]): ShownLines {
  const text = String(lines.slice(0, LINES).join("\n").slice(0, LOOKED_AT).split(TOO_DEEP)[0]);
  const { children } = fromMarkdown(text, { extensions: [{ disable: { null: INLINE } }] });
  const shown = children.filter(
    (block) =>
      block.type !== "code" &&
      block.type !== "blockquote" &&
      !(block.type === "html" && COMMENTS.test(block.value)),
  );
  const paragraphs = shown.map(({ type, position }) => {
    const from = Number(position?.start.line);
    const count = type === "paragraph" ? Number(position?.end.line) - from + 1 : 0;
    return Array.from({ length: count }, (_, at) => from - 1 + at);
  });
  return { first: paragraphs[0]?.[0] ?? null, plain: paragraphs.flat() };
}
