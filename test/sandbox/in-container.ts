import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { findBubblewrap } from "../../src/sandbox/find-bubblewrap.ts";
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
  const directory = mkdtempSync(join(tmpdir(), "flotilla-container-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const filter = join(directory, "filter");
  writeFileSync(filter, seccompFilter(profile));
  const alone = "--unshare-user --uid 1000 --gid 1000 --cap-drop ALL --die-with-parent --dev-bind / /".split(
    " ",
  );
  const child = spawn(
    findBubblewrap(process.env["PATH"] ?? "") ?? "",
    [...alone, ...more, "--seccomp", "3", "--", file, ...args],
    { stdio: ["ignore", "pipe", "pipe", openSync(filter, "r")] },
  );
  const [said, complained] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  if (complained !== "") throw new Error(complained);
  return said;
}
