import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { messageOf, StartupRefused } from "../../domain/kernel/errors.ts";
import { isLocked, lockFile } from "./registry.ts";

const holderFile = z.object({ pid: z.int(), startedAt: z.string() });

/**
 * Claims the data directory for this process, creating it (mode 0700) if missing. The lock of `lock.db` ends with the
 * process; `lock.json` only names the holder to people. Returns a function that releases the claim. Throws
 * `StartupRefused` when another process holds it or the directory is not writable.
 */
export function lockDataDirectory(dir: string): () => void {
  const file = join(dir, "lock.json");
  let unlock: (() => void) | undefined;
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    unlock = lockFile(join(dir, "lock.db"));
    if (unlock !== undefined) {
      const startedAt = new Date(Date.now() - process.uptime() * 1000).toISOString();
      writeFileSync(file, JSON.stringify({ pid: process.pid, startedAt }), { mode: 0o600 });
    }
  } catch (error) {
    unlock?.();
    throw new StartupRefused([
      `${dir} cannot be used as the data directory (${messageOf(error)}): make it writable for the user that runs flotilla, or set FLOTILLA_DATA_DIR`,
    ]);
  }
  if (unlock === undefined)
    throw new StartupRefused([
      `another flotilla process${holder(file)} uses ${dir}: stop it or set FLOTILLA_DATA_DIR`,
    ]);
  const release = unlock;
  let isHeld = true;
  return () => {
    if (!isHeld) return;
    isHeld = false;
    rmSync(file, { force: true });
    release();
  };
}

/**
 * Returns the holder of the data directory, as ` (pid N, started T)` or an empty text; undefined when there
 * is none.
 */
export function dataDirectoryHolder(dir: string): string | undefined {
  return isLocked(join(dir, "lock.db")) ? holder(join(dir, "lock.json")) : undefined;
}

/** Returns the pid of the process that holds the data directory; null where none does, or nobody knows it. */
export function dataDirectoryHolderPid(dir: string): number | null {
  return isLocked(join(dir, "lock.db")) ? (readHolder(join(dir, "lock.json"))?.pid ?? null) : null;
}

/** Reads ` (pid N, started T)`; an empty text where the file is unreadable. */
function holder(file: string): string {
  const found = readHolder(file);
  return found === null ? "" : ` (pid ${found.pid}, started ${found.startedAt})`;
}

function readHolder(file: string): z.infer<typeof holderFile> | null {
  try {
    return holderFile.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return null;
  }
}
