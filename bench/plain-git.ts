import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Runs git with these arguments, without limits and without any configuration of this machine. */
export type PlainGit = (...args: readonly string[]) => Promise<unknown>;

/**
 * Creates the git that ours is compared with. `identity` contains additional variables, such as the author of commits.
 */
export function plainGit(home: string, identity: Readonly<Record<string, string>> = {}): PlainGit {
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    ...identity,
  };
  return (...args) => promisify(execFile)("git", args, { env });
}
