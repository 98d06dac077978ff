import { fromMarkdown } from "mdast-util-from-markdown";

/** Characters that are parsed: a command stands at the beginning, and nesting costs the square of the length. */
const LOOKED_AT = 4096;

/** Lines that are parsed: quotes and lists that take turns cost the square of their number. */
const LINES = 200;

/** A line with so many quotes and lists inside one another: nobody writes it, and each costs a parse of the rest. */
const TOO_DEEP = /^(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]))){12}/m;

/** Only blocks matter here; what stands within a line can take more than a second to find. */
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

/** Whole comments of HTML and nothing else, as a browser reads them. */
const COMMENTS = /^\s*(?:<!--(?!-?>)(?:(?!--!?>)[^])*-->\s*)+$/;

export interface ShownLines {
  /** The first line that GitHub shows outside code, quotes and comments of HTML; null where it is not plain words. */
  readonly first: number | null;
  /** All lines of paragraphs that stand in nothing else. */
  readonly plain: readonly number[];
}

/** Returns which lines of a comment GitHub shows as plain words, counted from 0. Looks at its beginning only. */
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
