import { randomUUID } from "node:crypto";
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { StartupRefused } from "../../../domain/kernel/errors.ts";
import { openDatabase } from "./database.ts";

/**
 * Creates a database like ours in the directory, writes to it, reads its settings back, and removes it.
 * Returns the faults, each with what to do. Works beside a serving process; does not create a missing
 * directory.
 */
export function tryDurable(dir: string): readonly string[] {
  if (statSync(dir, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  const path = join(dir, `try-${randomUUID()}.db`);
  try {
    openDatabase(path).close();
    return [];
  } catch (error) {
    if (error instanceof StartupRefused) return error.faults;
    throw error;
  } finally {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
  }
}
