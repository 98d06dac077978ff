import { COMMON, type Command, type Option } from "./command.ts";
import type { Print } from "./printer.ts";
import { wrap } from "./wrap.ts";

/** Help must be readable on terminals of any width. */
const WIDTH = 80;

/** Returns the list of commands. */
export function overview(commands: readonly Command[]): string {
  const rows = commands.map(({ name, summary }) => [name, summary] as const);
  return [
    ...wrap("flotilla: agents work on your GitHub issues and prove that their work is done", WIDTH),
    "",
    "Usage: flotilla <command> [options]",
    "       npm run flotilla -- <command> [options]      (from a checkout)",
    "",
    ...listed(rows),
    "",
    ...wrap(
      "Run `flotilla <command> --help` for the details of a command, and `flotilla --version` for the version. Exit codes: 0 done, 1 refused or not found, 2 failed.",
      WIDTH,
    ),
  ].join("\n");
}

/** Returns the help of one command. */
export function helpOf({ name, summary, usage, details, verbs = {}, options, examples }: Command): string {
  const said = Object.entries({ ...options, ...COMMON }).map(
    ([option, about]) => [spelled(option, about), wholly(about)] as const,
  );
  return [
    ...wrap(`${name}: ${summary}`, WIDTH),
    "",
    `Usage: ${usage}`,
    ...details.flatMap((paragraph) => ["", ...wrap(paragraph, WIDTH)]),
    ...(Object.keys(verbs).length === 0 ? [] : ["", ...listed(Object.entries(verbs))]),
    "",
    "Options:",
    ...listed(said),
    "",
    "Examples:",
    ...examples.map((example) => `  ${example}`),
  ].join("\n");
}

/** Returns the help of the given verb, or of the whole command. */
export function helpAsked(command: Command, typed: string | undefined): string {
  const isVerb = typed !== undefined && Object.hasOwn(command.verbs ?? {}, typed);
  return isVerb ? helpOfVerb(command, typed) : helpOf(command);
}

/** Returns the help of one verb of a command. */
function helpOfVerb({ name, usage, details, verbs = {}, options, examples }: Command, verb: string): string {
  const ofIt = (line: string) => line.split(/[\s|[\]]+/).includes(verb);
  const taken = Object.entries({ ...options, ...COMMON }).filter(([, { of }]) => of?.includes(verb) ?? true);
  const shown = examples.filter(ofIt);
  const lines = usage
    .split("\n")
    .filter(ofIt)
    .map((line) => line.trim().replace(/\w+(?: \| \w+)+/, (several) => (ofIt(several) ? verb : several)));
  return [
    ...wrap(`${name} ${verb}: ${verbs[verb]}`, WIDTH),
    "",
    `Usage: ${lines.join("\n       ")}`,
    ...details.flatMap((paragraph) => ["", ...wrap(paragraph, WIDTH)]),
    "",
    "Options:",
    ...listed(
      taken.map(
        ([option, about]) => [spelled(option, about), wholly(about).replace(/^\([\w, ]+\) /, "")] as const,
      ),
    ),
    ...(shown.length === 0 ? [] : ["", "Examples:", ...shown.map((example) => `  ${example}`)]),
  ].join("\n");
}

/** Formats an option, such as `--state STATE` or `--json`. */
export function spelled(name: string, { type, value }: Option): string {
  return type === "boolean" ? `--${name}` : `--${name} ${(value ?? name).toUpperCase()}`;
}

/** Returns the option's purpose with its allowed words. */
export function wholly({ says, values }: Option): string {
  return values === undefined ? says : `${says}: ${values.join(", ")}`;
}

/** Prints the texts of the functions above, with highlighted headings. */
export function printHelp(print: Print, text: string): void {
  for (const line of text.split("\n")) {
    const heading = /^(?:Usage|Options|Examples):/.exec(line)?.[0];
    print(line, heading === undefined ? undefined : { style: "bold", length: heading.length });
  }
}

/** Formats two columns, the second wrapped. */
function listed(rows: readonly (readonly [string, string])[]): readonly string[] {
  const wide = Math.max(...rows.map(([name]) => name.length));
  return rows.flatMap(([name, text]) => {
    const [first = "", ...rest] = wrap(text, WIDTH - wide - 4);
    return [`  ${name.padEnd(wide)}  ${first}`, ...rest.map((line) => " ".repeat(wide + 4) + line)];
  });
}
