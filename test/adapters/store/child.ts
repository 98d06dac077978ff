import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";

export interface Child {
  readonly pid: number | undefined;
  /** What it prints, line by line, until it ends. */
  readonly lines: AsyncIterableIterator<string>;
  /** kill -9, and its end awaited. */
  kill(): Promise<void>;
}

/** A real process that runs one of the scripts in `children/`; it does not outlive the test. */
export function startChild(script: URL, ...args: string[]): Child {
  const child: ChildProcess = spawn(process.execPath, [script.pathname, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  if (child.stdout === null) throw new Error("the child has no output");
  return {
    pid: child.pid,
    lines: createInterface({ input: child.stdout })[Symbol.asyncIterator](),
    kill: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
