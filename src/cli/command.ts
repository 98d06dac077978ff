import type { Print } from "./printer.ts";

/** What a command is given. */
export interface CommandContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute; relative paths are seen from here. */
  readonly cwd: string;
  /** A line on standard output. */
  readonly print: Print;
  /** A line on standard error: why nothing was done. With --json the answer goes to standard output, by `print`. */
  readonly complain: Print;
  /** Resolves once all lines have left the process; false when nobody reads on. Without it, printing never waits. */
  readonly drained?: (() => Promise<boolean>) | undefined;
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  readonly args: readonly string[];
}

export interface Option {
  readonly type: "boolean" | "string";
  /** What it is for, without a full stop. */
  readonly says: string;
  /** What a `string` takes, as the help shows it; `file` and `directory` are completed as such. */
  readonly value?: string;
  /** The words that a `string` takes, where they are known. */
  readonly values?: readonly string[];
  /** The verbs that take it; all of them without it. */
  readonly of?: readonly string[];
}

/** One row of the table that the command line, its help, the completion scripts and docs/commands.md are made from. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** Without `--json` and `--help`, which every command has. */
  readonly usage: string;
  /** Paragraphs. */
  readonly details: readonly string[];
  /** The first arguments that it knows, each with what it does. */
  readonly verbs?: Readonly<Record<string, string>>;
  readonly options: Readonly<Record<string, Option>>;
  readonly examples: readonly [string, string, ...string[]];
  /** The exit code: 0 done, 1 refused or not found, 2 failed. */
  run(context: CommandContext): Promise<number>;
}

/** What every command has, too. */
export const COMMON: Readonly<Record<"json" | "help", Option>> = {
  json: { type: "boolean", says: "print JSON, also for errors" },
  help: { type: "boolean", says: "print the help of this command" },
};
