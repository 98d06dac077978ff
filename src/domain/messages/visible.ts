import { withoutInvisible } from "./printable.ts";

/** Parts inside of one another are taken out round by round; nobody writes more of them by accident. */
const MOST_ROUNDS = 8;
const TOO_DEEP = "(A text whose hidden parts stand inside one another cannot be shown.)";

/** What GitHub draws is not read there, and has comments of its own. */
const DRAWN = /^\s*(?:mermaid|geojson|topojson|stl|math)\b/i;

/** Inside of these a fence is no fence for GitHub, so after one of them nothing counts as code. */
const RAW = /<(?:script|pre|style|textarea|\?|![A-Za-z[])/i;

/** A comment that never ends hides the rest where it begins a block. */
const BLOCK_START = /(?:^|\n)[ \t>*+\-\d.)]*$/;

const QUOTED = `"(?:[^"\\\\]|\\\\[^])*"|'(?:[^'\\\\]|\\\\[^])*'`;
const TITLE = `(?:${QUOTED}|\\((?:[^()\\\\]|\\\\[^])*\\))`;

/** With all that follows where it has no end, so that an end is looked for once. */
const DECLARATION = /<![A-Za-z][^>]*>?/g;

/** What takes the place of each is more than nothing, so that what stood around it does not become something new. */
const HIDDEN: readonly (readonly [RegExp, string])[] = [
  [/<img(?:[\s/](?:"[^"]*"|'[^']*'|[^"'<>])*)?>/gi, "(image)"],
  [/(<\/?[A-Za-z][\w-]*)[\s/](?:"[^"]*"|'[^']*'|[^"'<>])*>/g, "$1>"],
  [
    /!\[(?:[^\][\\]|\\[^]|\[(?:[^\][\\]|\\[^])*\])*\](?:\((?:[^()\\]|\\[^]|\((?:[^()\\]|\\[^])*\))*\)|\[[^\][]*\])?/g,
    "(image)",
  ],
  // Where links lead to, written apart from them: on the page neither its name nor its title is seen.
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
 * A text from GitHub as a person sees it on the page: without comments, alternative texts, titles of links, attributes of
 * HTML, and characters that show nothing. Code in a fence at the start of a line stays as it is. Never throws; a second
 * time changes nothing.
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

/** One search for each beginning and each end: a text of beginnings alone takes no longer than any other. */
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

/** A block of code between two fences: from and to in the text, and the word behind its first fence. */
interface CodeBlock {
  readonly from: number;
  readonly to: number;
  readonly language: string;
}

const OPENING = /^(?:`{3,}[^`]*|~{3}[^`]*)$/;

/**
 * Blocks of code that are code wherever they stand: each fence is at the very start of a line after an empty one, so that
 * no list, quotation or HTML around it makes it something else, and has an end. An end is rather seen too early than too late.
 */
function codeBlocks(text: string): readonly CodeBlock[] {
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
