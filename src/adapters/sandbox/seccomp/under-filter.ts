import { rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Command } from "../../../domain/ports/runner.ts";
import { makeTemporaryDirectory } from "../temporary-directory.ts";
import { seccompFilter } from "./seccomp-filter.ts";

/** Variables that some shells add to the environment of what they start. */
const SHELL_MARKS = "--unsetenv _ --unsetenv SHLVL --unsetenv OLDPWD".split(" ");

let written: string | undefined;

/**
 * Returns the command that runs bwrap with the seccomp filter. bwrap reads the filter from a file descriptor, which the
 * caller cannot pass when it starts the command: a shell opens it, and bwrap replaces the shell.
 */
export function underFilter(bwrap: string, args: readonly string[]): Pick<Command, "file" | "args"> {
  return {
    file: "/bin/sh",
    args: ["-c", 'exec "$@" 9<"$0"', filterFile(), bwrap, "--seccomp", "9", ...SHELL_MARKS, ...args],
  };
}

/**
 * Returns the filter file. It is in a directory that only this user can enter and no sandbox can see; written again if
 * /tmp was cleaned.
 */
function filterFile(): string {
  if (written !== undefined && isOurs(written)) return written;
  const file = join(makeTemporaryDirectory("filter"), "seccomp.bpf");
  writeFileSync(file, seccompFilter(), { mode: 0o400 });
  if (written === undefined) process.once("exit", removeFilter);
  written = file;
  return file;
}

function isOurs(file: string): boolean {
  return (
    statSync(dirname(file), { throwIfNoEntry: false })?.uid === process.geteuid?.() &&
    statSync(file, { throwIfNoEntry: false }) !== undefined
  );
}

function removeFilter(): void {
  if (written !== undefined) rmSync(dirname(written), { recursive: true, force: true });
}
