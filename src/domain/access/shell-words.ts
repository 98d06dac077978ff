/** One simple command of a shell line: its words, and the files that its output is written to. */
export interface ShellCommand {
  readonly words: readonly string[];
  readonly targets: readonly string[];
}

/**
 * Splits a line into simple commands without running a shell: quotes are removed, variables stay as written, and `;`,
 * `&`, `|`, new lines, parentheses, backticks and `$(` separate commands. Never throws.
 */
export function shellCommands(line: string): readonly ShellCommand[] {
  const commands: { words: string[]; targets: string[] }[] = [{ words: [], targets: [] }];
  let word: string | null = null;
  let target = false;
  const end = (): void => {
    if (word !== null) commands.at(-1)?.[target ? "targets" : "words"].push(word);
    if (word !== null) target = false;
    word = null;
  };
  for (const [token] of line.matchAll(TOKEN)) {
    if (/^\s/.test(token) && !token.includes("\n")) end();
    else if (/^\d?>/.test(token)) {
      end();
      target = !token.endsWith("&");
    } else if (PARTING.test(token)) {
      end();
      target = false;
      commands.push({ words: [], targets: [] });
    } else word = (word ?? "") + bare(token);
  }
  end();
  return commands.filter(({ words, targets }) => words.length + targets.length > 0);
}

/**
 * Quoted pieces, escapes, redirections, separators of commands, white space, and anything else one character at a time.
 */
const TOKEN =
  /'[^']*'|"(?:\\[\s\S]|[^"\\])*"|\\[\s\S]|(?<![^\s;&|])\d?>{1,2}[&|]?|>{1,2}[&|]?|\$\(|[;&|()`\n]+|[^\S\n]+|\s|[\s\S]/g;
const PARTING = /^(?:\$\(|[;&|()`\n]+)/;

/** Returns a token without its quotes. A command substitution in double quotes is kept as written. */
function bare(token: string): string {
  if (token.length > 1 && token.startsWith("'")) return token.slice(1, -1);
  if (token.length > 1 && token.startsWith('"')) return token.slice(1, -1).replace(/\\(["\\$`])/g, "$1");
  return token.length === 2 && token.startsWith("\\") ? token.slice(1) : token;
}
