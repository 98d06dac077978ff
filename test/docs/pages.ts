import { globSync, readFileSync } from "node:fs";

/** A fenced block of a page. `line` counts from 1 and is that of its first line of text. */
export interface Block {
  readonly page: string;
  readonly line: number;
  /** The word after the fence; empty where there is none. */
  readonly language: string;
  readonly text: string;
}

/** A link of a page, as it is written: `other.md#heading`, `#heading`, `https://…`. */
interface Link {
  readonly line: number;
  readonly target: string;
}

export interface Page {
  readonly path: string;
  readonly blocks: readonly Block[];
  readonly links: readonly Link[];
  /** What stands between single backticks outside of blocks, with its line. */
  readonly spans: readonly { readonly line: number; readonly text: string }[];
  /** The anchors that GitHub makes of its headings. */
  readonly anchors: ReadonlySet<string>;
}

/** Every page that people are sent to, and the READMEs of the rooms. */
export const PAGES: readonly Page[] = globSync(["*.md", "docs/**/*.md", "src/**/README.md"])
  .toSorted()
  .map((path) => readPage(path, readFileSync(path, "utf8")));

/** Those that an operator, a maintainer or a developer follows step by step. */
export const GUIDES = PAGES.filter(({ path }) => !path.startsWith("src/") && path !== "CHANGELOG.md");

/** What GitHub shows of this Markdown, as far as tests ask for it. */
export function readPage(path: string, text: string): Page {
  const blocks: Block[] = [];
  const prose: { line: number; text: string }[] = [];
  let open: { fence: string; indent: number; language: string; line: number; lines: string[] } | null = null;
  for (const [index, line] of text.split("\n").entries()) {
    const [, indent = "", fence = "", language = ""] = /^( *)(`{3,}) *(\S*)/.exec(line) ?? [];
    if (open !== null && fence.length >= open.fence.length && language === "") {
      blocks.push({ page: path, line: open.line, language: open.language, text: open.lines.join("\n") });
      open = null;
    } else if (open !== null) open.lines.push(line.slice(open.indent));
    else if (fence !== "") open = { fence, indent: indent.length, language, line: index + 2, lines: [] };
    else prose.push({ line: index + 1, text: line });
  }
  if (open !== null) throw new Error(`${path}:${open.line}: the block has no end`);
  return {
    path,
    blocks,
    links: prose.flatMap(({ line, text: said }) =>
      [...said.replaceAll(/`[^`]*`/g, "").matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => ({
        line,
        target,
      })),
    ),
    spans: prose.flatMap(({ line, text: said }) =>
      [...said.matchAll(/`([^`]+)`/g)].map(([, span = ""]) => ({ line, text: span })),
    ),
    anchors: anchorsOf(prose.map(({ text: said }) => said)),
  };
}

function anchorsOf(lines: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const line of lines) {
    const [, heading] = /^#{1,6} +(.*?) *#*$/.exec(line) ?? [];
    if (heading === undefined) continue;
    const plain = anchorOf(heading);
    let anchor = plain;
    for (let again = 1; found.has(anchor); again++) anchor = `${plain}-${again}`;
    found.add(anchor);
  }
  return found;
}

function anchorOf(heading: string): string {
  return heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
}
