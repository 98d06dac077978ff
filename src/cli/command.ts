import type { Print } from "./printer.ts";

/** The input of a command. */
export interface CommandContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute; relative paths are resolved against it. */
  readonly cwd: string;
  /** Prints a line on standard output. */
  readonly print: Print;
  /**
   * Prints a line on standard error: why nothing was done. With --json the answer goes to standard output, by
   * `print`.
   */
  readonly complain: Print;
  /**
   * Resolves once all lines have left the process; false when the reader has gone. Without it, printing never
   * waits.
   */
  readonly drained?: (() => Promise<boolean>) | undefined;
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  readonly args: readonly string[];
}

export interface Option {
  readonly type: "boolean" | "string";
  /** The option's purpose, without a full stop. */
  readonly says: string;
  /** The placeholder of a `string` in the help; `file` and `directory` are completed as such. */
  readonly value?: string;
  /** The allowed words of a `string`, where they are known. */
  readonly values?: readonly string[];
  /** The verbs with this option; all of them by default. */
  readonly of?: readonly string[];
}

/** One row of the table behind the command line, its help, the completion scripts and docs/commands.md. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** Excludes `--json` and `--help`, which every command has. */
  readonly usage: string;
  /** Paragraphs. */
  readonly details: readonly string[];
  /** The first arguments that the command knows, each with its purpose. */
  readonly verbs?: Readonly<Record<string, string>>;
  readonly options: Readonly<Record<string, Option>>;
  readonly examples: readonly [string, string, ...string[]];
  /** Runs the command. Returns the exit code: 0 done, 1 refused or not found, 2 failed. */
  run(context: CommandContext): Promise<number>;
}

/** The options of every command. */
export const COMMON: Readonly<Record<"json" | "help", Option>> = {
  json: { type: "boolean", says: "print JSON, also for errors" },
  help: { type: "boolean", says: "print the help of this command" },
};
