import { spawn } from "node:child_process";
import type { Command } from "../core/ports/runner.ts";

/** How a process ended. `cut` says why we ended it; null where it ended by itself. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly cut: "too_slow" | "too_much" | null;
}

/** Of stdout and stderr together; 128 MiB are the paths of a million files. */
const MOST_OUTPUT_BYTES = 128 * 1024 * 1024;

/**
 * Runs a command to its end, killed with its whole process group after `limitMs` or when it prints too much. Rejects with
 * what the system says where it cannot be started.
 */
export function runProcess(
  command: Command,
  { input, limitMs }: { readonly input: string; readonly limitMs: number },
): Promise<ProcessEnd> {
  const { promise, resolve, reject } = Promise.withResolvers<ProcessEnd>();
  const child = spawn(command.file, command.args, {
    cwd: command.cwd,
    env: command.env,
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
  let [bytes, cut]: [number, ProcessEnd["cut"]] = [0, null];
  const end = (reason: ProcessEnd["cut"]): void => {
    cut ??= reason;
    killGroup(child.pid);
  };
  const keep = (kept: Buffer[]) => (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MOST_OUTPUT_BYTES) end("too_much");
    else kept.push(chunk);
  };
  const timer = setTimeout(() => end("too_slow"), limitMs);
  child.stdout.on("data", keep(stdout));
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
  // It may end without reading all of it: what it says then is the error.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  return promise.finally(() => clearTimeout(timer));
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}
