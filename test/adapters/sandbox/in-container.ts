import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { findBubblewrap } from "../../../src/adapters/sandbox/find-bubblewrap.ts";
import { type Profile, seccompFilter } from "./seccomp-filter.ts";

/** What stands in for a container: a user without rights, and no more than what is said here. */
export interface Container {
  /** The system calls that it may make. */
  readonly profile: Profile;
  /** What runs in it; left out, our node. */
  readonly file?: string;
  /** More of bubblewrap's arguments for it. */
  readonly more?: readonly string[];
}

/** Runs a program with these arguments in such a container; what it printed. */
export async function inContainer(
  args: readonly string[],
  { profile, file = process.execPath, more = [] }: Container,
): Promise<string> {
  const alone = "--unshare-user --uid 1000 --gid 1000 --cap-drop ALL --die-with-parent --dev-bind / /".split(
    " ",
  );
  const bwrap = findBubblewrap(process.env["PATH"] ?? "") ?? "";
  // The filter comes on standard input, which bubblewrap reads to its end before anything runs.
  const child = spawn(bwrap, [...alone, ...more, "--seccomp", "0", "--", file, ...args]);
  child.stdin.end(seccompFilter(profile));
  const [said, complained] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (complained !== "") throw new Error(complained);
  return said;
}
