import type { Command } from "./command.ts";

/** The list of commands. */
export function overview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map((command) => command.name.length));
  return [
    "flotilla: issues become agents that work, sleep, wake and end with evidence",
    "",
    "Usage: flotilla <command> [options]      (from a checkout: npm run flotilla -- <command>)",
    "",
    ...commands.map((command) => `  ${command.name.padEnd(width)}  ${command.summary}`),
    "",
    "`flotilla <command> --help` says more. Exit codes: 0 done, 1 refused or not found, 2 failed.",
  ].join("\n");
}

export function helpOf(command: Command): string {
  return [`${command.name}: ${command.summary}`, "", `Usage: ${command.usage}`, "", ...command.details].join(
    "\n",
  );
}
