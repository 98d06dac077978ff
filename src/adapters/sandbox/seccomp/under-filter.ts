import { randomUUID } from "node:crypto";
import { rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { messageOf, OutsideError } from "../../../domain/kernel/errors.ts";
import type { Command } from "../../../domain/ports/runner.ts";
import { ENDS_FIRST } from "../groups/agent-groups.ts";
import { makeTemporaryDirectory } from "../temporary-directory.ts";
import { seccompFilter } from "./seccomp-filter.ts";

/** Variables that some shells add to the environment of what they start. */
const SHELL_VARIABLES = "--unsetenv _ --unsetenv SHLVL --unsetenv OLDPWD".split(" ");

let written: string | undefined;

/** Opens the filter and the variables, deletes the file of the variables, and becomes bwrap. */
const SCRIPT = `${ENDS_FIRST}; exec 8<"$1" 9<"$0"; /bin/rm -f -- "$1"; shift; exec "$@"`;

/**
 * Returns the command that runs bwrap with the seccomp filter and with these variables inside, to be started once. bwrap
 * reads both from file descriptors, which the caller cannot pass when it starts the command: a shell opens them, and bwrap
 * replaces the shell. The variables may be a repository's, so the shell and bwrap get none, and no list of processes shows
 * them. Throws if one contains a NUL character, after which bwrap would read an argument.
 */
export function underFilter(
  bwrap: string,
  variables: Readonly<Record<string, string>>,
  args: readonly string[],
): Pick<Command, "file" | "args"> {
  const set = Object.entries(variables).flatMap(([name, value]) => ["--setenv", name, value]);
  if (set.some((part) => part.includes("\0"))) throw new Error("a variable contains a NUL character");
  const { filter, file } = writeFiles(set.map((part) => `${part}\0`).join(""));
  return {
    file: "/bin/sh",
    args: ["-c", SCRIPT, filter, file, bwrap, "--seccomp", "9", ...SHELL_VARIABLES, "--args", "8", ...args],
  };
}

/** Writes the variables beside the filter. Throws `OutsideError` where the system's temporary directory takes no file. */
function writeFiles(variables: string): { readonly filter: string; readonly file: string } {
  let file: string | undefined;
  try {
    const filter = filterFile();
    file = join(dirname(filter), `variables-${randomUUID()}`);
    writeFileSync(file, variables, { mode: 0o600, flag: "wx" });
    return { filter, file };
  } catch (error) {
    if (file !== undefined) rmSync(file, { force: true });
    throw new OutsideError("command_not_started", `bubblewrap did not start: ${messageOf(error)}`, {
      consequence: "retry",
      advice: `Check that ${tmpdir()} is writable by this user and has free space.`,
      cause: error,
    });
  }
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
