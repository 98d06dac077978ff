import { type ParseArgsConfig, parseArgs } from "node:util";
import { suggestion } from "../config/nearest.ts";
import { messageOf, OutsideError, StartupRefused } from "../domain/kernel/errors.ts";
import { environmentRedactor } from "../server/environment-redactor.ts";
import { ownVersion } from "../server/own-version.ts";
import { COMMON, type Command, type CommandContext } from "./command.ts";
import { helpAsked, overview, printHelp } from "./help.ts";
import { printerTo, printText } from "./printer.ts";
import { refused } from "./refused.ts";

/** The environment of a command line. */
export interface Shell {
  readonly cwd: string;
  /** The environment variables, to which `load` adds those in files before a command runs. */
  readonly env: CommandContext["env"];
  readonly load: () => void;
  /** Prints a line on standard output, with control characters escaped. */
  readonly print: (line: string) => void;
  /** Prints a line on standard error, with control characters escaped. */
  readonly complain: (line: string) => void;
  readonly drained?: CommandContext["drained"];
}

/**
 * Runs a command line to its end. Returns the exit code: 0 done, 1 refused or not found, 2 failed. Prints an
 * uncaught error with the next step; with --json on standard output as `{ error }`. Redacts the secrets of
 * the environment.
 */
export async function commandLine(
  argv: readonly string[],
  commands: readonly Command[],
  shell: Shell,
): Promise<number> {
  const [name, ...rest] = argv;
  const json = rest.includes("--json");
  // An error may quote anything. All other lines are already safe: texts are redacted where they are stored,
  // and JSON is printed from rows.
  const clean = (text: string): string => environmentRedactor(shell.env, shell.cwd)(text);
  const print = printerTo(shell.print);
  const complain = printerTo(shell.complain);
  const fail = (text: string, error: object): void => {
    if (json) print(clean(JSON.stringify({ error })));
    else printText(complain, clean(text));
  };
  const refuse = (message: string, hint: string): 1 => {
    refused(
      {
        options: { json },
        print: (text) => print(clean(text)),
        complain: (text) => complain(clean(text)),
      },
      message,
      hint,
    );
    return 1;
  };

  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    const about = commands.find((known) => known.name === rest[0]);
    printHelp(print, name === "help" && about !== undefined ? helpAsked(about, rest[1]) : overview(commands));
    return name === undefined ? 1 : 0;
  }
  if (name === "--version") {
    print(ownVersion());
    return 0;
  }
  const command = commands.find((known) => known.name === name);
  if (command === undefined) {
    const elsewhere = Object.hasOwn(ELSEWHERE, name) ? ELSEWHERE[name] : undefined;
    const near = suggestion(
      name,
      commands.map((known) => known.name),
    );
    return refuse(
      `There is no command "${name}".${elsewhere === undefined ? near : ""}`,
      elsewhere ?? "`flotilla help` lists the commands.",
    );
  }
  if (rest.includes("--help") || rest.includes("-h")) {
    printHelp(print, helpAsked(command, rest[0]));
    return 0;
  }
  try {
    const typed = parsed(rest, command);
    if ("wrong" in typed) return refuse(typed.wrong, `Run \`flotilla ${name} --help\` for its options.`);
    shell.load();
    const { env, cwd, drained } = shell;
    return await command.run({ env, cwd, print, complain, drained, ...typed });
  } catch (error) {
    fail(explained(error, name), errorJson(error, name));
    return 2;
  }
}

/** What people of other tools look for, and where it is here. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  logs: "`flotilla serve` writes its log to standard error; docs/logs.md shows how to follow one issue.",
  status:
    "`flotilla agents list` shows who works, sleeps or needs a person, `flotilla tasks` how each issue stands, `flotilla doctor` whether the installation is in order.",
  version: "`flotilla --version` prints it.",
  why: "`flotilla explain owner/repo#N` shows why something was or was not done.",
};

type Typed = Pick<CommandContext, "options" | "args"> | { readonly wrong: string };

function parsed(args: readonly string[], { name, options }: Command): Typed {
  const known: ParseArgsConfig["options"] = Object.fromEntries(
    Object.entries({ ...options, ...COMMON }).map(([option, { type }]) => [option, { type }]),
  );
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: known, allowPositionals: true });
    const given = Object.entries(values).map(([key, value]) => [
      key,
      Array.isArray(value) ? value.at(-1) : value,
    ]);
    return { options: Object.fromEntries(given), args: positionals };
  } catch (error) {
    if (!(error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS")))
      throw error;
    const [, option] = /^Unknown option '(-[^']*)'/.exec(error.message) ?? [];
    if (option === undefined) return { wrong: error.message };
    const near = suggestion(
      option,
      Object.keys(known).map((one) => `--${one}`),
    );
    return { wrong: `flotilla ${name} has no option "${option}".${near}` };
  }
}

/**
 * Explains an error to the person at the terminal: what is wrong, and what to do next. Line breaks are only
 * ours, since a message may quote a stranger.
 */
export function explained(error: unknown, command: string): string {
  const what = flat(messageOf(error));
  if (error instanceof StartupRefused)
    return [`${refusal(command)}:`, ...error.faults.map((fault) => `  - ${flat(fault)}`)].join("\n");
  if (error instanceof OutsideError)
    return error.advice === undefined ? what : `${what}\n${flat(error.advice)}`;
  const next = error instanceof Error && "code" in error ? OF_MACHINE[String(error.code)] : undefined;
  if (next !== undefined) return `${what}\n${next}`;
  return error instanceof Error ? [`${error.name}: ${what}`, ...callsOf(error)].join("\n") : what;
}

const FULL = "The disk is full: free some space, or write to another disk.";
const NOT_PERMITTED =
  "This user may not do that there: change the owner or mode of the path, or choose another one.";

/** What to do about errors of the operating system, by their code: the machine is wrong, and no stack says where. */
const OF_MACHINE: Readonly<Record<string, string>> = {
  EACCES: NOT_PERMITTED,
  EDQUOT: FULL,
  EMFILE: "Too many files are open: raise the limit (`ulimit -n`).",
  ENFILE: "Too many files are open on this machine: close programs, or raise the limit.",
  ENOSPC: FULL,
  EPERM: NOT_PERMITTED,
  EROFS: "That file system is read-only: mount it for writing, or choose another path.",
};

/** Returns the calls of the error's stack, without the message before them. */
function callsOf({ stack = "", message }: Error): readonly string[] {
  const end = stack.indexOf(message) + message.length;
  return stack
    .slice(end)
    .split("\n")
    .filter((line) => /^\s+at /.test(line));
}

function flat(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, " ");
}

/** Returns the error for a program; for a refused start, with each fault separately. */
function errorJson(error: unknown, command: string): Readonly<Record<string, unknown>> {
  if (error instanceof StartupRefused)
    return {
      code: "startup_refused",
      message: refusal(command),
      hint: STARTUP_HINT,
      faults: error.faults,
      retryable: false,
    };
  if (error instanceof OutsideError) {
    const { code, message, advice, consequence } = error;
    const retryable = consequence === "retry" || consequence === "park";
    return { code, message, hint: advice ?? message, retryable };
  }
  const [message = "", ...rest] = explained(error, command).split("\n");
  return { code: "internal", message, hint: rest.join("\n").trim(), retryable: false };
}

/** Only `serve` starts Flotilla; other commands read the same configuration. */
function refusal(command: string): string {
  return command === "serve"
    ? "Flotilla does not start"
    : `\`flotilla ${command}\` cannot run with these faults`;
}

const STARTUP_HINT = "each fault says what to fix; `flotilla doctor` looks again";
