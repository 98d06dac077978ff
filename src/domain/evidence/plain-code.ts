/** How a language writes what is no code: comments, and the content of strings. */
export interface Syntax {
  /** What ends a line besides a line feed. */
  readonly lineEnds: RegExp;
  /** Finds where something begins that is no code; the name of the group that matched is its `Kind`. */
  readonly openings: RegExp;
  /** A character may be written by its number anywhere, also what begins a comment. */
  readonly hasEscapes?: true;
}

/**
 * line, block, nested = comments. string ends with its line where nothing closes it, text does not; in both a backslash
 * protects the next character, in raw it does not. template may hold code that holds another one.
 */
const KINDS = ["line", "block", "nested", "string", "text", "raw", "template", "regex"] as const;
type Kind = (typeof KINDS)[number];

/** Two views of a source text, of the same length and with the same lines. */
export interface PlainCode {
  /** Without comments. */
  readonly text: string;
  /** Also without the content of strings; their quotes stay. */
  readonly code: string;
}

/** Blanks comments and the content of strings. */
export function plainCode(given: string, { lineEnds, openings, hasEscapes }: Syntax): PlainCode {
  const plain = given.replace(/^\uFEFF/, "");
  const source = (hasEscapes ? plain.replace(ESCAPE, character) : plain).replace(lineEnds, "\n");
  const text: string[] = [];
  const code: string[] = [];
  const next = new RegExp(openings, "g");
  let at = 0;
  for (let found = next.exec(source); found !== null; found = next.exec(source)) {
    const opened = found.index + found[0].length;
    for (const kind of KINDS.filter((one) => found?.groups?.[one] !== undefined)) {
      const { end, closing } = SKIPS[kind](source, opened, found[0]);
      const isComment = closing === null;
      const from = isComment ? found.index : opened;
      const [before, hidden] = [source.slice(at, from), source.slice(from, end)];
      text.push(before, isComment ? blank(hidden) : hidden);
      code.push(before, blank(hidden));
      at = end;
      // What closes a string must open no other one.
      next.lastIndex = closing !== null && source.startsWith(closing, end) ? end + closing.length : end;
    }
  }
  text.push(source.slice(at));
  code.push(source.slice(at));
  return { text: text.join(""), code: code.join("") };
}

const ESCAPE = /\\u+([0-9a-f]{4})/gi;
const character = (_escape: string, digits: string) => String.fromCharCode(Number.parseInt(digits, 16));

const blank = (part: string) => part.replace(/[^\n]/g, " ");

/** Where the content ends, and what closes it; null for a comment. */
interface Skip {
  readonly end: number;
  readonly closing: string | null;
}

const SKIPS: Readonly<Record<Kind, (source: string, from: number, opening: string) => Skip>> = {
  line: (source, from) => ({ end: indexIn(source, "\n", from), closing: null }),
  block: (source, from) => ({ end: Math.min(indexIn(source, "*/", from) + 2, source.length), closing: null }),
  nested: (source, from) => ({ end: nestedEnd(source, from), closing: null }),
  string: (source, from, quote) => ({ end: stringEnd(source, from, quote, "\n"), closing: quote }),
  text: (source, from, quote) => ({ end: stringEnd(source, from, quote, null), closing: quote }),
  raw: (source, from, opening) => {
    const closing = opening === "`" ? opening : `"${"#".repeat(opening.split("#").length - 1)}`;
    return { end: indexIn(source, closing, from), closing };
  },
  template: (source, from) => ({ end: templateEnd(source, from), closing: "`" }),
  regex: (source, from) => ({ end: regexEnd(source, from), closing: "/" }),
};

function indexIn(source: string, wanted: string, from: number): number {
  const index = source.indexOf(wanted, from);
  return index === -1 ? source.length : index;
}

/** Comments of Rust nest. */
function nestedEnd(source: string, from: number): number {
  const marks = /\/\*|\*\//g;
  marks.lastIndex = from;
  let depth = 1;
  for (let mark = marks.exec(source); mark !== null; mark = marks.exec(source)) {
    depth += mark[0] === "/*" ? 1 : -1;
    if (depth === 0) return marks.lastIndex;
  }
  return source.length;
}

function stringEnd(source: string, from: number, quote: string, limit: string | null): number {
  let at = from;
  while (at < source.length && source[at] !== limit && !source.startsWith(quote, at))
    at += source[at] === "\\" ? 2 : 1;
  return Math.min(at, source.length);
}

/** Each number counts the braces that are open in the code of one template. */
function templateEnd(source: string, from: number): number {
  const braces: number[] = [];
  let isCode = false;
  for (let at = from; at < source.length; at += 1) {
    const sign = source.charAt(at);
    if (sign === "\\") at += 1;
    else if (!isCode && sign === "$" && source[at + 1] === "{") {
      braces.push(0);
      isCode = true;
      at += 1;
    } else if (!isCode && sign === "`") {
      if (braces.length === 0) return at;
      isCode = true;
    } else if (isCode && sign === "`") isCode = false;
    else if (isCode && (sign === '"' || sign === "'")) at = stringEnd(source, at + 1, sign, "\n");
    else if (isCode && (sign === "{" || sign === "}")) {
      const open = Number(braces.pop()) + (sign === "{" ? 1 : -1);
      if (open >= 0) braces.push(open);
      else isCode = false;
    }
  }
  return source.length;
}

function regexEnd(source: string, from: number): number {
  let isInClass = false;
  let at = from;
  for (; at < source.length && source[at] !== "\n"; at += 1) {
    const sign = source[at];
    if (sign === "\\") at += 1;
    else if (sign === "/" && !isInClass) return at;
    else if (sign === "[" || sign === "]") isInClass = sign === "[";
  }
  return Math.min(at, source.length);
}
