import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const execute = promisify(execFile);

/**
 * git as an agent with a shell runs it: in the directory, with discovery and every setting that it finds there.
 * Returns stdout without the last newline; a failure counts only when `strict`.
 */
export async function plainGit(directory: string, args: readonly string[], strict = true): Promise<string> {
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: join(directory, ".."),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_AUTHOR_NAME: "An agent",
    GIT_AUTHOR_EMAIL: "agent@example.com",
    GIT_COMMITTER_NAME: "An agent",
    GIT_COMMITTER_EMAIL: "agent@example.com",
  };
  const run = execute("git", [...args], { cwd: directory, env });
  run.child.stdin?.end();
  const { stdout } = await (strict ? run : run.catch(() => ({ stdout: "" })));
  return stdout.trimEnd();
}
