import { withoutInvisible } from "./printable.ts";

/** Nested parts are removed in rounds; nobody nests more of them by accident. */
const MOST_ROUNDS = 8;
const TOO_DEEP = "(A text whose hidden parts stand inside one another cannot be shown.)";

/** Languages that GitHub draws: people do not read their text there, and they have comments of their own. */
const DRAWN = /^\s*(?:mermaid|geojson|topojson|stl|math)\b/i;

/** Inside these, GitHub recognizes no fence, so nothing after one of them counts as code. */
const RAW = /<(?:script|pre|style|textarea|\?|![A-Za-z[])/i;

/** A comment without an end hides the rest of the text if it begins a block. */
const BLOCK_START = /(?:^|\n)[ \t>*+\-\d.)]*$/;

const QUOTED = `"(?:[^"\\\\]|\\\\[^])*"|'(?:[^'\\\\]|\\\\[^])*'`;
const TITLE = `(?:${QUOTED}|\\((?:[^()\\\\]|\\\\[^])*\\))`;

/** Matches the rest of the text where there is no end, so that the end is searched for once. */
const DECLARATION = /<![A-Za-z][^>]*>?/g;

/** Each replacement is not empty, so that the text around it does not form something new. */
const HIDDEN: readonly (readonly [RegExp, string])[] = [
  [/<img(?:[\s/](?:"[^"]*"|'[^']*'|[^"'<>])*)?>/gi, "(image)"],
  [/(<\/?[A-Za-z][\w-]*)[\s/](?:"[^"]*"|'[^']*'|[^"'<>])*>/g, "$1>"],
  [
    /!\[(?:[^\][\\]|\\[^]|\[(?:[^\][\\]|\\[^])*\])*\](?:\((?:[^()\\]|\\[^]|\((?:[^()\\]|\\[^])*\))*\)|\[[^\][]*\])?/g,
    "(image)",
  ],
  // Link reference definitions: the page shows neither their name nor their title.
  [
    new RegExp(
      `^[ \\t>*+\\-\\d.)]*\\[(?!\\^)(?:[^\\][\\\\]|\\\\[^])+\\]:[ \\t]*(?:\\n[ \\t]*)?\\S+(?:\\s+${TITLE})?[ \\t]*$`,
      "gm",
    ),
    " ",
  ],
  [new RegExp(`(\\]\\([ \\t]*(?:<[^<>\\n]*>|[^\\s()<>]+))\\s+${TITLE}\\s*\\)`, "g"), "$1)"],
];

/**
 * Returns a text from GitHub as a person sees it on the page: without comments, alternative texts, titles of links,
 * attributes of HTML, and invisible characters. Fenced code at the start of a line stays as it is. Never throws;
 * idempotent.
 */
export function visibleText(text: string): string {
  let shown = withoutInvisible(text);
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const next = withoutHidden(shown);
    if (next === shown) return shown;
    shown = next;
  }
  return TOO_DEEP;
}

/** Returns whether people see anything of a text from GitHub: an answer of hidden characters says nothing. */
export const isSeen = (text: string): boolean => visibleText(text).trim() !== "";

function withoutHidden(text: string): string {
  let shown = "";
  let rest = 0;
  for (const { from, to, language } of codeBlocks(text)) {
    const before = text.slice(rest, from);
    if (RAW.test(before) || before.lastIndexOf("<!--") > before.lastIndexOf("-->")) break;
    shown += strip(before) + (DRAWN.test(language) ? "(image)" : text.slice(from, to));
    rest = to;
  }
  return shown + strip(text.slice(rest));
}

function strip(text: string): string {
  const open = [
    ["<!--", "-->"],
    ["<![CDATA[", "]]>"],
    ["<?", "?>"],
  ] as const;
  const left = open
    .reduce((some, [begin, end]) => withoutPairs(some, begin, end), text)
    .replaceAll(DECLARATION, (found) => (found.endsWith(">") ? " " : found));
  return HIDDEN.reduce((some, [hidden, shown]) => some.replaceAll(hidden, shown), left);
}

/** Searches once for each beginning and each end, so that many beginnings without an end take no longer. */
function withoutPairs(text: string, begin: string, end: string): string {
  let shown = "";
  let rest = 0;
  for (let at = text.indexOf(begin); at !== -1; at = text.indexOf(begin, rest)) {
    // `<!-->` is a whole comment.
    const to = text.indexOf(end, at + begin.length - (begin === "<!--" ? 2 : 0));
    const before = text.slice(rest, at);
    if (to === -1)
      return BLOCK_START.test(text.slice(0, at))
        ? `${shown}${before} `
        : `${shown}${text.slice(rest).replaceAll(begin, `< ${begin.slice(1)}`)}`;
    shown += `${before} `;
    rest = to + end.length;
  }
  return shown + text.slice(rest);
}

/** A block of code between two fences: its range in the text, and the language after its first fence. */
interface CodeBlock {
  readonly from: number;
  readonly to: number;
  readonly language: string;
}

const OPENING = /^(?:`{3,}[^`]*|~{3}[^`]*)$/;

/**
 * Returns the blocks that are code in any context: each fence starts a line after an empty one, outside lists,
 * quotations and HTML, and has an end. In doubt a block ends too early rather than too late.
 */
function codeBlocks(text: string): readonly CodeBlock[] {
  const lines = text.split("\n");
  const blocks: CodeBlock[] = [];
  /** The last line that ends each kind of fence, searched for once. */
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
