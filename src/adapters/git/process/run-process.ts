import { spawn } from "node:child_process";
import type { Command } from "../../../domain/ports/runner.ts";

/** How a process ended. `cut` says why we ended it; null if it ended by itself. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly cut: "too_slow" | "too_much" | "too_many" | null;
}

/** Limit of stdout and stderr together. */
export const MOST_OUTPUT_BYTES = 64 * 1024 * 1024;
const LINE_END = 10;

/**
 * Runs a command to its end. Kills its whole process group after `limitMs`, or when it prints too much. If it prints
 * more than `mostLines` lines, stdout contains the first ones. Rejects with the system's error if the command cannot be
 * started.
 */
export function runProcess(
  command: Command,
  {
    input,
    limitMs,
    mostLines = Number.POSITIVE_INFINITY,
  }: { readonly input: string; readonly limitMs: number; readonly mostLines?: number },
): Promise<ProcessEnd> {
  const { promise, resolve, reject } = Promise.withResolvers<ProcessEnd>();
  const child = spawn(command.file, command.args, {
    cwd: command.cwd,
    env: command.env,
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
  let [bytes, lines, cut]: [number, number, ProcessEnd["cut"]] = [0, 0, null];
  const end = (reason: ProcessEnd["cut"]): void => {
    cut ??= reason;
    killGroup(child.pid);
  };
  const keep = (kept: Buffer[]) => (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MOST_OUTPUT_BYTES) end("too_much");
    else kept.push(chunk);
  };
  const countLines = (chunk: Buffer): void => {
    for (let at = chunk.indexOf(LINE_END); at !== -1; at = chunk.indexOf(LINE_END, at + 1)) {
      lines += 1;
      if (lines > mostLines) return end("too_many");
    }
  };
  const timer = setTimeout(() => end("too_slow"), limitMs);
  child.stdout.on("data", keep(stdout));
  if (mostLines !== Number.POSITIVE_INFINITY) child.stdout.on("data", countLines);
  child.stderr.on("data", keep(stderr));
  child.once("error", reject);
  child.once("close", (code) => {
    resolve({
      code,
      stdout: Buffer.concat(stdout).toString(),
      stderr: Buffer.concat(stderr).toString(),
      cut,
    });
  });
  // The command may end without reading all of its input; then its output has the error.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  return promise.finally(() => clearTimeout(timer));
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The process has already ended.
  }
}
