import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { COMPILE_CACHE } from "../compile-cache.ts";

const MAIN = join(import.meta.dirname, "../../src/main.ts");
/** Ends only a process that hangs: a busy machine may take minutes for what a quiet one does in seconds. */
const LIMIT_MS = 300_000;

/** Runs a command of Flotilla to its end in a separate process, with exactly this environment and PATH. */
export async function runFlotilla(
  args: readonly string[],
  options: {
    readonly cwd: string;
    readonly env?: Readonly<Record<string, string>>;
    /** A command that runs Flotilla, such as bubblewrap's. */
    readonly within?: readonly string[];
  },
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  const [file = process.execPath, ...words] = [...(options.within ?? []), process.execPath, MAIN, ...args];
  const child = spawn(file, words, {
    cwd: options.cwd,
    env: { PATH: process.env["PATH"] ?? "", ...COMPILE_CACHE, ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: LIMIT_MS,
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, stdout, stderr };
}
