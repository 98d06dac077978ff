import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import { PROCESS_MARK } from "../../domain/breakers/process-mark.ts";
import { messageOf, OutsideError } from "../../domain/kernel/errors.ts";
import type { Clock } from "../../domain/ports/clock.ts";
import type { Command, CommandResult, RunOptions } from "../../domain/ports/runner.ts";
import { withTimeout } from "../../time/with-timeout.ts";
import { carries } from "./marked-processes.ts";
import { type ProcessEntry, readProcesses, signalProcess, withDescendants } from "./process-table.ts";

/** How long a pipe may stay open after all known processes have ended. */
const PIPE_MS = 1000;
const STATUS_BYTES = 4096;
const KEEP_ALIVE_MS = 60_000;

interface Exit {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

export type Ended = Omit<CommandResult, "refusedHosts" | "refusals">;

export interface HowToRun extends Pick<RunOptions, "mark" | "timeoutMs" | "signal" | "maxOutputBytes"> {
  /**
   * True if the command is bwrap with a command in it. bwrap reports on descriptor 3 that it has run that command, ends
   * at once with everything in it on a signal, and reports a signal that ended the command as 128 + n.
   */
  readonly wrapped: boolean;
}

/**
 * Runs a command that is already confined, as the leader of its own session. Resolves when the command and everything
 * that it started are gone. Throws `OutsideError` `command_not_started`.
 */
export async function runCommand(command: Command, options: HowToRun, clock: Clock): Promise<Ended> {
  // The clock's timers do not keep the process alive: without other work it would end before this completes.
  const alive = setInterval(() => {}, KEEP_ALIVE_MS);
  try {
    return await runToEnd(command, options, clock);
  } finally {
    clearInterval(alive);
  }
}

async function runToEnd(command: Command, options: HowToRun, clock: Clock): Promise<Ended> {
  const began = clock.now();
  const tail = new OutputTail(options.maxOutputBytes);
  const { child, exited, closed, told } = start(command, options, tail);
  const limit = await firstOf(exited, options, clock);
  const { pid } = child;
  if (pid !== undefined) await endTree({ pid, mark: options.mark, spared: options.wrapped }, clock);
  const own = await exited;
  // An escaped process that was not found may hold a pipe; do not wait for it.
  await withTimeout(clock, PIPE_MS, closed, () => undefined);
  child.stdout?.destroy();
  child.stderr?.destroy();
  if (options.wrapped && limit === "exit" && own.exitCode !== null && !told().includes('"exit-code"'))
    throw notStarted(command, tail.text());
  const { exitCode, signal } = options.wrapped ? unwrapped(own) : own;
  return {
    exitCode: limit === "exit" ? exitCode : null,
    signal: signal ?? (limit === "exit" ? null : "SIGTERM"),
    timedOut: limit === "timeout",
    output: tail.text(),
    durationMs: clock.now() - began,
  };
}

/** Above 128 the command was ended by a signal, or reports one as shells do. */
function unwrapped({ exitCode, signal }: Exit): Exit {
  if (exitCode === null || exitCode <= 128) return { exitCode, signal };
  const name = Object.entries(constants.signals).find(([, number]) => number === exitCode - 128)?.[0];
  return name === undefined ? { exitCode, signal } : { exitCode: null, signal: name };
}

function start(command: Command, options: HowToRun, tail: OutputTail) {
  const child = begin(command, options);
  child.stdout?.on("data", (chunk: Buffer) => tail.add(chunk));
  child.stderr?.on("data", (chunk: Buffer) => tail.add(chunk));
  const status = new OutputTail(STATUS_BYTES);
  child.stdio[3]?.on("data", (chunk: Buffer) => status.add(chunk));
  const exited = new Promise<Exit>((resolve, reject) => {
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
    child.once("error", (error) => reject(notStarted(command, error)));
  });
  const closed = new Promise<void>((resolve) => {
    child.once("close", () => resolve());
  });
  return { child, exited, closed, told: () => status.text() };
}

function begin(command: Command, { mark, wrapped }: HowToRun): ChildProcess {
  const marked = { [PROCESS_MARK]: mark };
  try {
    return spawn(command.file, command.args, {
      cwd: command.cwd,
      // First, since only the beginning of a process's environment is read, and last, so that nothing replaces it.
      env: { ...marked, ...command.env, ...marked },
      stdio: ["ignore", "pipe", "pipe", ...(wrapped ? (["pipe"] as const) : [])],
      detached: true,
    });
  } catch (error) {
    // Node throws ENOMEM, and reports EAGAIN by an event.
    throw hasNoRoom(messageOf(error)) ? notStarted(command, error) : error;
  }
}

/**
 * Returns true for what node, the shell or bwrap says where the system has no room for another process or no memory. Only
 * the end counts: a path can contain such words, and stands before the reason.
 */
function hasNoRoom(why: string): boolean {
  return /: (?:Resource temporarily unavailable|Cannot allocate memory|Cannot fork)\n?$| (?:EAGAIN|ENOMEM)$/.test(
    why,
  );
}

/** Creates the error for a command that did not run. `error` may be what bwrap printed, but never what the command did. */
export function notStarted(command: Command, error: unknown): OutsideError {
  const why = messageOf(error);
  const message = `${command.file} did not start: ${why}`;
  if (hasNoRoom(why))
    return new OutsideError("command_not_started", message, {
      consequence: "retry",
      advice:
        "It is tried again. If this lasts, look what uses up the processes or the memory of this user or of the agent.",
      cause: error,
    });
  return new OutsideError("command_not_started", message, {
    consequence: "tell",
    advice: `Check that ${command.file} and ${command.cwd} are there and that this user may use them.`,
    cause: error,
  });
}

/** Returns what came first: the command's own end, the time limit, or the abort. */
async function firstOf(
  exited: Promise<Exit>,
  { timeoutMs, signal }: Pick<RunOptions, "timeoutMs" | "signal">,
  clock: Clock,
): Promise<"exit" | "timeout" | "abort"> {
  const { promise: aborted, resolve } = Promise.withResolvers<"abort">();
  const abort = () => resolve("abort");
  signal.addEventListener("abort", abort);
  if (signal.aborted) abort();
  try {
    const ended = Promise.race([exited.then(() => "exit" as const), aborted]);
    return await withTimeout(clock, timeoutMs, ended, () => "timeout" as const);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/** Keeps the end of a command's output in limited memory. */
class OutputTail {
  readonly #limit: number;
  #kept: Buffer[] = [];
  #size = 0;
  #seen = 0;

  /** `limit` is in bytes. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  add(chunk: Buffer): void {
    this.#seen += chunk.length;
    this.#kept.push(chunk);
    this.#size += chunk.length;
    // Joins only when it holds twice the limit, so that many small chunks cost no more than a few large ones.
    if (this.#size > 2 * this.#limit) this.#shorten();
  }

  /** Returns the end of the output; begins with the number of omitted bytes. */
  text(): string {
    this.#shorten();
    const text = Buffer.concat(this.#kept).toString("utf8");
    const dropped = this.#seen - this.#size;
    return dropped === 0 ? text : `[${dropped} bytes left out]\n${text}`;
  }

  #shorten(): void {
    const end = Buffer.concat(this.#kept).subarray(-this.#limit);
    this.#kept = [end];
    this.#size = end.length;
  }
}

/** How long processes may take to shut down before they are killed. */
const GRACE_MS = 5000;
const CHECK_EVERY_MS = 50;
/** Number of checks after SIGKILL. A process that is still alive after these cannot be ended by us. */
const KILL_CHECKS = 40;

/**
 * Ends everything that a command started, even after the command itself has ended: its session, processes
 * with its mark, and their descendants. Sends SIGTERM, then SIGKILL after 5 s; a `spared` leader gets no
 * SIGTERM, because its end would end the others at once. Without /proc it reaches only the process group.
 */
async function endTree(leader: { pid: number; mark: string; spared: boolean }, clock: Clock): Promise<void> {
  const known = new Map<number, string>();
  const find = async (): Promise<readonly ProcessEntry[]> => {
    const all = await readProcesses();
    if (all.length === 0) signalProcess(-leader.pid, "SIGKILL");
    const chosen = all.filter(
      (entry) =>
        entry.session === leader.pid || carries(entry, leader.mark) || known.get(entry.pid) === entry.began,
    );
    const found = withDescendants(all, chosen);
    for (const { pid, began } of found) known.set(pid, began);
    return found;
  };
  const asked = new Set<number>();
  const killFrom = clock.now() + GRACE_MS;
  for (let checks = 0; checks < KILL_CHECKS; ) {
    const found = await find();
    if (found.length === 0) return;
    const late = clock.now() >= killFrom;
    if (late) checks += 1;
    for (const { pid } of found) {
      if (late) signalProcess(pid, "SIGKILL");
      else if (!asked.has(pid) && !(leader.spared && pid === leader.pid)) signalProcess(pid, "SIGTERM");
      asked.add(pid);
    }
    await pause(clock, CHECK_EVERY_MS);
  }
}

function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve);
  });
}
