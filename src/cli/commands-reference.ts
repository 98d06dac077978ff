import { COMMON, type Command } from "./command.ts";
import { spelled, wholly } from "./help.ts";

/** Returns docs/commands.md: every command with its options and examples. */
export function printCommands(commands: readonly Command[]): string {
  return `${[
    "# Commands",
    "",
    "Generated from the commands themselves; `flotilla <command> --help` prints the same text.",
    "",
    'From a checkout run `npm run flotilla -- <command>`, or `npx flotilla <command>` where a program reads the output: `npm run` prints lines of its own first. With `--json` every command prints its result as JSON, or `{ "error": {',
    '"code", "message", "hint" } }`. Exit codes: 0 done, 1 refused or not found, 2 failed. Colours and progress are shown on',
    "terminals only; `NO_COLOR` and `FORCE_COLOR` work as usual. Tables fit the terminal; elsewhere each row is one line.",
    "",
    ...commands.flatMap(section),
  ].join("\n")}\n`;
}

function section({
  name,
  summary,
  usage,
  details,
  verbs = {},
  options,
  examples,
}: Command): readonly string[] {
  const rows = [
    ...Object.entries(verbs),
    ...Object.entries({ ...options, ...COMMON }).flatMap(([option, about]) =>
      option in COMMON ? [] : [[spelled(option, about), wholly(about)] as const],
    ),
  ];
  return [
    `## flotilla ${name}`,
    "",
    `${summary[0]?.toUpperCase() ?? ""}${summary.slice(1)}.`,
    "",
    "```text",
    ...usage.split("\n").map((line) => line.trim()),
    "```",
    "",
    ...details.flatMap((paragraph) => [plain(paragraph), ""]),
    ...(rows.length === 0
      ? []
      : ["| | |", "|---|---|", ...rows.map(([what, says]) => `| \`${what}\` | ${plain(says)} |`), ""]),
    "Examples:",
    "",
    "```sh",
    ...examples,
    "```",
    "",
  ];
}

/** Escapes a text of ours, so that nothing in it counts as HTML or as the end of a cell. */
function plain(text: string): string {
  return text.replaceAll(/[<|]/g, "\\$&");
}
