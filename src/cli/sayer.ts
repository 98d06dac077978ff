import type { CommandContext } from "./command.ts";

/** Returns what prints for people; nothing with --json, which prints once at the end. */
export function sayer({ print, options }: Pick<CommandContext, "print" | "options">): (line: string) => void {
  return options["json"] === true ? () => undefined : (line) => print(line);
}
