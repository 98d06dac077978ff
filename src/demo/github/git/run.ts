import { spawn } from "node:child_process";

/** A failed git command; `stderr` is git's own text. */
export class GitFailed extends Error {
  override readonly name = "GitFailed";
  readonly stderr: string;
  constructor(args: readonly string[], code: number | null, stderr: string) {
    super(`git ${args.join(" ")} ended with ${code ?? "a signal"}: ${stderr.trim()}`);
    this.stderr = stderr;
  }
}

/** Returns the environment of every git process here. It hides the user's configuration. */
export function gitEnvironment(): NodeJS.ProcessEnv {
  return {
    PATH: process.env["PATH"],
    HOME: "/nonexistent",
    LC_ALL: "C",
    TZ: "UTC",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_TERMINAL_PROMPT: "0",
  };
}

/**
 * Runs git in `directory` and returns its standard output as bytes. Throws `GitFailed` if the exit code is not
 * accepted.
 */
export async function gitBytes(
  directory: string,
  args: readonly string[],
  options: { input?: Buffer; env?: NodeJS.ProcessEnv; accept?: readonly number[] } = {},
): Promise<{ code: number; stdout: Buffer }> {
  const child = spawn("git", args, {
    cwd: directory,
    env: { ...gitEnvironment(), ...options.env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
  // A process that ends before it has read its input closes the pipe; its exit code says what happened.
  child.stdin.on("error", () => undefined);
  child.stdin.end(options.input ?? Buffer.alloc(0));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  if (code === null || (code !== 0 && !(options.accept ?? []).includes(code))) {
    throw new GitFailed(args, code, Buffer.concat(stderr).toString());
  }
  return { code, stdout: Buffer.concat(stdout) };
}

/** Runs git and returns its output as text without the final newline. */
export async function git(
  directory: string,
  args: readonly string[],
  options: Parameters<typeof gitBytes>[2] = {},
): Promise<string> {
  return (await gitBytes(directory, args, options)).stdout.toString().replace(/\n$/, "");
}
