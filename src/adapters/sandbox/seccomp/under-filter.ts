import { rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Command } from "../../../domain/ports/runner.ts";
import { makeTemporaryDirectory } from "../temporary-directory.ts";
import { seccompFilter } from "./seccomp-filter.ts";

/** What some shells leave in the environment of what they start. */
const SHELL_MARKS = "--unsetenv _ --unsetenv SHLVL --unsetenv OLDPWD".split(" ");

let written: string | undefined;

/**
 * Returns the command that runs bwrap with the seccomp filter. bwrap takes the filter on a descriptor, and whoever spawns
 * the command can hand none over: a shell opens it, and bwrap takes the shell's place.
 */
export function underFilter(bwrap: string, args: readonly string[]): Pick<Command, "file" | "args"> {
  return {
    file: "/bin/sh",
    args: ["-c", 'exec "$@" 9<"$0"', filterFile(), bwrap, "--seccomp", "9", ...SHELL_MARKS, ...args],
  };
}

/** A file in a directory that only this user can enter and no sandbox sees; written again when /tmp was cleaned. */
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
