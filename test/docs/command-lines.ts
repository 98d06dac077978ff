import { readFileSync } from "node:fs";
import type { Block } from "./pages.ts";

/** One command of a block: its words, with where it stands. */
export interface Typed {
  /** `docs/operations.md:332`. */
  readonly where: string;
  readonly words: readonly string[];
}

/** A line that reads as a prompt with a command. */
const PROMPT = /^\$ /;

/**
 * The commands of a `sh` block, or of the lines of a `console` block that begin with `$ `. A line continues after a backslash
 * or `&&`; what stands before and after `&&`, `||`, `|` and `;` is a command each. Comments and assignments are no words.
 */
export function commandsOf({ page, line, language, text }: Block): readonly Typed[] {
  const lines = text.split("\n");
  const shown = language === "console" ? lines.map((one) => (PROMPT.test(one) ? one.slice(2) : "")) : lines;
  const joined: { line: number; text: string }[] = [];
  for (const [index, one] of shown.entries()) {
    const before = joined.at(-1);
    if (before !== undefined && /(\\|&&|\|)$/.test(before.text.trimEnd()))
      joined[joined.length - 1] = {
        ...before,
        text: `${before.text.trimEnd().replace(/\\$/, "")} ${one.trim()}`,
      };
    else joined.push({ line: line + index, text: one });
  }
  return joined.flatMap(({ line: at, text: said }) =>
    simple(said).map((words) => ({ where: `${page}:${at}`, words })),
  );
}

/** As a POSIX shell splits, as far as pages need it: quotes, comments, separators, redirections and assignments. */
function simple(said: string): readonly (readonly string[])[] {
  const commands: string[][] = [[]];
  // What stands in `<(…)` is a command of its own.
  const flat = said.replaceAll(/<\(([^)]*)\)/g, "; $1");
  for (const [token] of flat.matchAll(/(?:"(?:\\.|[^"])*"|'[^']*'|\\.|[^\s;|&"'\\])+|&&|\|\||[|;&]|#.*$/g)) {
    if (token.startsWith("#")) break;
    if (/^[|;&]+$/.test(token)) commands.push([]);
    else commands.at(-1)?.push(token.replaceAll(/"((?:\\.|[^"])*)"|'([^']*)'/g, "$1$2"));
  }
  return commands
    .map((words) => words.slice(words.findIndex((word) => !/^[A-Za-z_]+=/.test(word))))
    .map((words) =>
      words.filter((word, index) => !/^\d?[<>]/.test(word) && !/^\d?[<>]+$/.test(words[index - 1] ?? "")),
    )
    .filter((words) => words.length > 0 && !/^[A-Za-z_]+=/.test(words[0] ?? ""));
}

const SCRIPTS: Readonly<Record<string, string>> = JSON.parse(readFileSync("package.json", "utf8")).scripts;

/** The arguments of Flotilla's own command line, however it is called; null for another program. */
export function flotillaArguments(words: readonly string[]): readonly string[] | null {
  const [program = "", ...rest] = words;
  if (program === "flotilla") return rest;
  if (program === "npx" && rest[0] === "flotilla") return rest.slice(1);
  if (program === "node" && ["src/main.ts", "src/flotilla.js"].includes(rest[0] ?? "")) return rest.slice(1);
  if (program !== "npm") return null;
  const script = rest[0] === "run" ? (rest[1] ?? "") : (rest[0] ?? "");
  const runs = /^node src\/(?:main\.ts|flotilla\.js) ?(.*)$/.exec(SCRIPTS[script] ?? "");
  if (runs === null) return null;
  const own = rest.includes("--") ? rest.slice(rest.indexOf("--") + 1) : [];
  return [...(runs[1] ?? "").split(" ").filter((word) => word !== ""), ...own];
}

/** Whether package.json has what `npm …` asks for; null for another program. */
export function npmFault(words: readonly string[]): string | null {
  const [program, verb = "", script = ""] = words;
  if (program !== "npm" || ["install", "ci", "pack"].includes(verb)) return null;
  const name = verb === "run" ? script : verb;
  return name in SCRIPTS ? null : `package.json has no script ${name}`;
}
