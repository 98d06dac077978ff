import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A directory in memory where the system has one: a commit of a database there waits for no disk. */
export const FAST_DIRECTORY = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/** A directory of the running test's own for databases, removed at its end. */
export function fastDirectory(): string {
  const directory = mkdtempSync(join(FAST_DIRECTORY, "flotilla-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
