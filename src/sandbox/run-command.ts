import { type ChildProcess, spawn } from "node:child_process";
import { messageOf, OutsideError } from "../core/errors.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { Command, CommandResult, RunOptions } from "../core/ports/runner.ts";
import { PROCESS_MARK } from "../core/process-mark.ts";
import { endTree } from "./end-tree.ts";
import { OutputTail } from "./output-tail.ts";

/** How long a pipe may stay open after all that we know of has ended. */
const PIPE_MS = 1000;

interface Exit {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/**
 * Runs a command that is confined already, as the leader of a session of its own. Resolves when it and everything that
 * it started is gone. Throws `OutsideError` `command_not_started`.
 */
export async function runCommand(
  command: Command,
  options: Omit<RunOptions, "writable">,
  clock: Clock,
): Promise<CommandResult> {
  const began = clock.now();
  const tail = new OutputTail(options.maxOutputBytes);
  const { child, exited, closed } = start(command, options.mark, tail);
  const limit = await firstOf(exited, options, clock);
  const { pid } = child;
  if (pid !== undefined) await endTree({ pid, mark: options.mark }, clock);
  const { exitCode, signal } = await exited;
  // Somebody who ran away unseen may hold a pipe; nobody waits for that.
  await within(closed, PIPE_MS, clock);
  child.stdout?.destroy();
  child.stderr?.destroy();
  return {
    exitCode: limit === "exit" ? exitCode : null,
    signal: signal ?? (limit === "exit" ? null : "SIGTERM"),
    timedOut: limit === "timeout",
    output: tail.text(),
    durationMs: clock.now() - began,
  };
}

function start(command: Command, mark: string, tail: OutputTail) {
  const child: ChildProcess = spawn(command.file, command.args, {
    cwd: command.cwd,
    env: { ...command.env, [PROCESS_MARK]: mark },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  child.stdout?.on("data", (chunk: Buffer) => tail.add(chunk));
  child.stderr?.on("data", (chunk: Buffer) => tail.add(chunk));
  const exited = new Promise<Exit>((resolve, reject) => {
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
    child.once("error", (error) => reject(notStarted(command, error)));
  });
  const closed = new Promise<void>((resolve) => {
    child.once("close", () => resolve());
  });
  return { child, exited, closed };
}

function notStarted(command: Command, error: unknown): OutsideError {
  return new OutsideError("command_not_started", `${command.file} did not start: ${messageOf(error)}`, {
    consequence: "tell",
    advice: `Check that ${command.file} and ${command.cwd} are there and that this user may use them.`,
    cause: error,
  });
}

/** What came first: its own end, the time limit, or the abort. */
async function firstOf(
  exited: Promise<Exit>,
  { timeoutMs, signal }: Pick<RunOptions, "timeoutMs" | "signal">,
  clock: Clock,
): Promise<"exit" | "timeout" | "abort"> {
  const { promise: cut, resolve } = Promise.withResolvers<"timeout" | "abort">();
  const cancel = clock.after(timeoutMs, () => resolve("timeout"));
  const abort = () => resolve("abort");
  signal.addEventListener("abort", abort);
  if (signal.aborted) abort();
  try {
    return await Promise.race([exited.then(() => "exit" as const), cut]);
  } finally {
    cancel();
    signal.removeEventListener("abort", abort);
  }
}

async function within(work: Promise<void>, ms: number, clock: Clock): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const cancel = clock.after(ms, resolve);
  await Promise.race([work, late]);
  cancel();
}
