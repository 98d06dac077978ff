import type { ParseArgsConfig } from "node:util";

/** What a command is given. */
export interface CommandContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute; relative paths are seen from here. */
  readonly cwd: string;
  /** A line on standard output. */
  readonly print: (line: string) => void;
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  readonly args: readonly string[];
}

export interface Command {
  readonly name: string;
  readonly summary: string;
  readonly usage: string;
  readonly details: readonly string[];
  readonly options: NonNullable<ParseArgsConfig["options"]>;
  /** The exit code: 0 done, 1 refused or not found, 2 failed. */
  run(context: CommandContext): Promise<number>;
}
