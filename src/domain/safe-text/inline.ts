import * as pattern from "./inline-patterns.ts";
import { repeatUntilStable } from "./repeat-until-stable.ts";
import { withoutHiddenCharacters } from "./without-hidden-characters.ts";

/** What a text may link to and close. */
export interface Reach {
  /** Origin of the GitHub server, such as `https://github.com`: links to it stay. Null where no link may stay. */
  readonly site: string | null;
  /** The issue that closing words may name; null where they may name none. */
  readonly closes: number | null;
}

/** No links and no closing words: for text inside the host's own sentences. */
export const NOWHERE: Reach = { site: null, closes: null };

/** The second row of a table: in a table a bar ends a cell even within code. */
const isRuler = (line: string) => line.includes("-") && /^[ \t>|:-]*$/.test(line);

/** Makes a text one safe line of Markdown, as in a list or a cell: `safeMarkdown` without blocks. */
export function safeLine(text: string, reach: Reach = NOWHERE): string {
  return repeatUntilStable(text, (given) =>
    safeInline(withoutHiddenCharacters(given).replaceAll("\n", " "), reach),
  );
}

/** Makes lines of Markdown outside of code blocks safe, in one pass. Code spans stay where they certainly are spans. */
export function safeInline(text: string, reach: Reach): string {
  return new Inline(text, reach).run();
}

class Inline {
  readonly #text: string;
  readonly #reach: Reach;
  readonly #table: boolean;
  #at = 0;
  readonly #out: string[] = [];
  #last = "";
  #escaping = false;

  constructor(text: string, reach: Reach) {
    this.#text = text;
    this.#reach = reach;
    this.#table = text.split("\n").some(isRuler);
  }

  run(): string {
    while (this.#at < this.#text.length) this.#step();
    return this.#out.join("");
  }

  #step(): void {
    const char = this.#text.charAt(this.#at);
    if (this.#isLineStart() && this.#commands()) return;
    if (char === "\\") this.#backslash();
    else if (char === "`") this.#backticks();
    else if (char === "&") this.#entity();
    else if (char === "<") this.#emit(this.#take(pattern.TAG_START) === null ? this.#next() : "&lt;");
    else if (char === "]") this.#bracket();
    else if (char === "!") this.#emit(this.#takeText("![") ? "\\![" : this.#next());
    else if (char === "~") this.#tildes();
    else if (char === "@") this.#mention();
    else if (!/[A-Za-z0-9._+-]/.test(char) || !this.#word(char))
      this.#emit(this.#take(pattern.PLAIN_WORD) ?? this.#next());
  }

  /** Handles the start of a word that may mention, refer or link. */
  #word(char: string): boolean {
    const address = /[fhw]/i.test(char) ? this.#take(pattern.ADDRESS) : null;
    if (address !== null) {
      const trail = pattern.AFTER_ADDRESS.exec(address)?.[0] ?? "";
      const link = address.slice(0, address.length - trail.length);
      this.#at -= trail.length;
      if (/^http/i.test(link) && this.#isOwn(link)) this.#emit(link);
      else this.#emitCode(link);
      return true;
    }
    const last = this.#last;
    return (
      (/[cfr]/i.test(char) && !isAlphanumeric(last) && this.#closing()) ||
      (!/[\w.+-]/.test(last) && this.#email())
    );
  }

  #closing(): boolean {
    pattern.CLOSING.lastIndex = this.#at;
    const [all, word = "", gap = "", reference = ""] = pattern.CLOSING.exec(this.#text) ?? [];
    if (all === undefined) return false;
    this.#at += all.length;
    this.#emit(`${word}${gap.replaceAll("\\", "")}`);
    if (reference === `#${this.#reach.closes}`) this.#emit(reference);
    else this.#emitCode(reference);
    return true;
  }

  #email(): boolean {
    const found = this.#take(pattern.E_MAIL);
    if (found !== null) this.#emitCode(found);
    return found !== null;
  }

  #mention(): void {
    // Same rule as for an address; a tag or an emphasis before the mention does not disable it.
    const found = isAlphanumeric(this.#last) ? null : this.#take(pattern.MENTION);
    if (found === null) this.#emit(this.#next());
    else this.#emitCode(found);
  }

  #bracket(): void {
    const link = this.#take(pattern.LINK_END);
    if (link !== null) {
      if (this.#isOwn(link.slice(2, -1))) {
        this.#emit(link);
        return;
      }
      this.#at -= link.length;
    }
    // A link, or the definition of one, does not work without its bracket.
    this.#emit(/^\][(:]/.test(this.#text.slice(this.#at, this.#at + 2)) ? `\\${this.#next()}` : this.#next());
  }

  #isOwn(link: string): boolean {
    return this.#reach.site !== null && isOwnLink(link, this.#reach.site);
  }

  #backslash(): void {
    if (this.#take(pattern.HOLLOW_ESCAPE) === null) this.#emit(this.#take(pattern.ESCAPE) ?? this.#next());
  }

  #entity(): void {
    if (this.#take(pattern.NO_BREAK_SPACE) !== null) this.#emit(" ");
    else
      this.#emit(
        this.#take(pattern.KEPT_ENTITY) ?? (this.#take(pattern.ENTITY) === null ? this.#next() : "&amp;"),
      );
  }

  /** Handles a run of tildes that is not certainly a fence. */
  #tildes(): void {
    const run = this.#takeRun("~");
    this.#emit(run.length >= 3 ? "\\~".repeat(run.length) : run);
  }

  #backticks(): void {
    const run = this.#takeRun("`");
    const newline = this.#text.indexOf("\n", this.#at);
    const line = this.#text.slice(this.#at, newline === -1 ? undefined : newline);
    const end = endOfSpan(line, run);
    const inner = line.slice(0, end ?? 0);
    if (end === null || (this.#table && inner.includes("|"))) {
      this.#emit("\\`".repeat(run.length));
      return;
    }
    this.#at += end + run.length;
    this.#emitSpan(`${run}${inner}${run}`);
  }

  #isLineStart(): boolean {
    return this.#at === 0 || this.#text.charAt(this.#at - 1) === "\n";
  }

  #commands(): boolean {
    pattern.COMMAND.lastIndex = this.#at;
    const [all, signs = "", command = ""] = pattern.COMMAND.exec(this.#text) ?? [];
    if (all === undefined) return false;
    this.#at += all.length;
    this.#emit(signs);
    this.#emitCode(command);
    return true;
  }

  #take(expression: RegExp): string | null {
    expression.lastIndex = this.#at;
    const [found] = expression.exec(this.#text) ?? [];
    if (found === undefined) return null;
    this.#at += found.length;
    return found;
  }

  #takeText(text: string): boolean {
    const found = this.#text.startsWith(text, this.#at);
    if (found) this.#at += text.length;
    return found;
  }

  #takeRun(char: string): string {
    const start = this.#at;
    while (this.#text.charAt(this.#at) === char) this.#at += 1;
    return this.#text.slice(start, this.#at);
  }

  #next(): string {
    this.#at += 1;
    return this.#text.charAt(this.#at - 1);
  }

  #emit(text: string): void {
    this.#out.push(text);
    this.#last = text.charAt(text.length - 1);
    // A lone backslash would escape what follows.
    this.#escaping = text === "\\";
  }

  #emitCode(text: string): void {
    this.#emitSpan(`\`${text}\``);
  }

  /** Emits a code span so that neither the text before it nor another span takes its backticks. */
  #emitSpan(span: string): void {
    if (this.#escaping) this.#emit("\\");
    else if (this.#last === "`") this.#emit(" ");
    this.#emit(span);
  }
}

const isAlphanumeric = (char: string) => /[A-Za-z0-9]/.test(char);

/** Returns where the next run of exactly these backticks begins on the line; null when there is none. */
function endOfSpan(line: string, run: string): number | null {
  for (const found of line.matchAll(/`+/g)) if (found[0] === run) return found.index;
  return null;
}

/** Characters of a safe link: none that can be read in two ways, or as a mention. */
const PLAIN = /^[A-Za-z0-9\-._~:/?#$&+,;=%]+$/;

/** Returns true when the link leads to `site`, the origin of the GitHub server, or below it. A relative link does. */
function isOwnLink(link: string, site: string): boolean {
  if (!PLAIN.test(link) || !URL.canParse(link, site)) return false;
  const { origin, username, password } = new URL(link, site);
  return origin === site && username === "" && password === "";
}
