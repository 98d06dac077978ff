import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { bundledFile } from "../domain/settings/bundled-file.ts";

const MAIN = fileURLToPath(bundledFile("../main.ts", import.meta.url));

/** A running `flotilla serve` process that we started. */
export interface Served {
  /** Empty where it listens on no port. */
  readonly url: string;
  readonly pid: number;
  /** Returns everything that it has written to standard error so far. */
  readonly log: () => string;
  /** Ends it with the signal and waits for its exit code; null if a signal killed it. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  /** Its exit code, once it has ended by itself or by `stop`. */
  readonly exited: Promise<number | null>;
}

/**
 * Starts the process with exactly the given environment. Resolves when it runs; rejects with its output if it does
 * not.
 */
export async function startServed(options: {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The program, of another version. */
  readonly main?: string | undefined;
}): Promise<Served> {
  const child = spawn(process.execPath, [options.main ?? MAIN, "serve"], {
    cwd: options.cwd,
    env: options.env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    log += text;
  });
  const exited = exitOf(child);
  const url = await Promise.race([
    listening(child),
    exited.then((code) => {
      throw new Error(`flotilla serve ended with ${String(code)}:\n${log}`);
    }),
  ]);
  return {
    url,
    pid: child.pid ?? 0,
    log: () => log,
    exited,
    async stop(signal = "SIGTERM") {
      child.kill(signal);
      return exited;
    },
  };
}

async function exitOf(child: ChildProcess): Promise<number | null> {
  const [code]: unknown[] = await once(child, "exit");
  return typeof code === "number" ? code : null;
}

function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let said = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      const url = /listens on (http:\S+|no port)/.exec(said)?.[1];
      if (url !== undefined) resolve(url === "no port" ? "" : url);
    });
  });
}
