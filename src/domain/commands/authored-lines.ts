/**
 * Returns the lines of a comment with everything blanked that its author does not say: text in fences, quotes, code
 * spans and HTML comments.
 */
export function authoredLines(lines: readonly string[]): readonly string[] {
  return withoutComments(withoutSpans(withoutBlocks(lines).join("\n"))).split("\n");
}

/** Blanks fences, indented code and quotes; a quote continues until an empty line, as Markdown draws it. */
function withoutBlocks(lines: readonly string[]): readonly string[] {
  let fence = "";
  let quoted = false;
  return lines.map((line) => {
    const opener = line.replace(/^\s{0,3}(`{3,}|~{3,})?[^]*$/, "$1");
    if (fence !== "") {
      if (opener.startsWith(fence) && line.trim() === opener) fence = "";
      return "";
    }
    if (opener !== "") {
      fence = opener;
      quoted = false;
      return "";
    }
    quoted = /^\s{0,3}>/.test(line) || (quoted && line.trim() !== "");
    return quoted || /^(?: {4}|\t)/.test(line) ? "" : line;
  });
}

/** Blanks code spans, which may cross lines, but not an empty one. */
function withoutSpans(text: string): string {
  return text.replace(/(?<!`)(`+)(?!`)(?:(?!\n[ \t]*\n)[^])*?(?<!`)\1(?!`)/g, blank);
}

/** Blanks HTML comments; one without an end hides the rest, as on the page. */
function withoutComments(text: string): string {
  let seen = "";
  for (let from = 0; ; ) {
    const start = text.indexOf("<!--", from);
    if (start === -1) return seen + text.slice(from);
    const close = text.indexOf("-->", start);
    const end = close === -1 ? text.length : close + 3;
    seen += text.slice(from, start) + blank(text.slice(start, end));
    from = end;
  }
}

/** Keeps line ends. */
function blank(text: string): string {
  return text.replace(/[^\n]+/g, " ");
}
