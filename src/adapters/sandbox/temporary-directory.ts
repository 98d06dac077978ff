import { lstatSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const OURS = /^flotilla-(?:egress|filter|port|probe|services)-(\d+)-[A-Za-z0-9]{6}$/;

let isTidied = false;

/**
 * Creates a directory for this process in the system's temporary directory. The first call deletes directories that
 * killed processes of this user left there; the name contains the pid of its process.
 */
export function makeTemporaryDirectory(kind: "egress" | "filter" | "port" | "probe" | "services"): string {
  if (!isTidied) deleteLeftovers(tmpdir());
  isTidied = true;
  return mkdtempSync(join(tmpdir(), `flotilla-${kind}-${process.pid}-`));
}

function deleteLeftovers(directory: string): void {
  for (const name of readdirSync(directory)) {
    const pid = OURS.exec(name)?.[1];
    if (pid === undefined || isAnotherAlive(Number(pid))) continue;
    const path = join(directory, name);
    try {
      const found = lstatSync(path);
      if (found.isDirectory() && found.uid === process.geteuid?.()) rmSync(path, { recursive: true });
    } catch {
      // It uses little space, and another process may have deleted it in the meantime.
    }
  }
}

/**
 * Returns whether a process with this pid is alive and is not this one. A directory with our own pid that we did not create
 * belongs to an earlier process: in a container pids start again.
 */
export function isAnotherAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
