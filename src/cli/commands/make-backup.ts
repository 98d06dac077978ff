import { randomUUID } from "node:crypto";
import { constants, existsSync } from "node:fs";
import { chmod, cp, lstat, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Database } from "../../adapters/store/database.ts";
import { OutsideError } from "../../domain/kernel/errors.ts";
import type { Violation } from "../../domain/ports/settings-tables.ts";
import { whileReadable } from "../data-directory.ts";

/** Besides the database: what GitHub does not have, each where it exists. Without marker-secret nothing of ours is known again. */
const KEPT = ["marker-secret", "dashboard-token", "identity.json", "archives"];

export interface BackedUp {
  /** Absolute. */
  readonly path: string;
  readonly bytes: number;
  readonly from_journal: number;
  readonly files: readonly string[];
  readonly violations: readonly Violation[];
}

/**
 * Makes `to` (which must not exist) a copy from which Flotilla can be started again. It has its name only when all of it is
 * checked and on the disk. Throws `OutsideError` where the database is missing or the copy is damaged; then nothing is left.
 */
export async function backUp(options: {
  dataDir: string;
  database: Database;
  to: string;
  now: number;
}): Promise<BackedUp> {
  const { dataDir, database, to, now } = options;
  if (!database.exists())
    throw new OutsideError("no_database", `there is no database at ${database.at}`, {
      consequence: "tell",
      advice: "Set FLOTILLA_DATA_DIR to the data directory.",
    });
  const draft = `${to}.${randomUUID()}.part`;
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  await mkdir(draft, { mode: 0o700 });
  try {
    const copy = await whileReadable(database, () => database.copyTo(draft, now));
    if (copy.damage.length > 0)
      throw new OutsideError("damaged", `the database is damaged: ${copy.damage.join("; ")}`, {
        consequence: "tell",
        advice: "Restore the last backup that was whole; this one was not kept.",
      });
    // After the database: what its rows name is there, or was removed since.
    const files = KEPT.filter((name) => existsSync(join(dataDir, name)));
    for (const name of files) await copyKept(join(dataDir, name), join(draft, name));
    await settle(draft);
    await rename(draft, to);
    await sync(dirname(to));
    const { bytes, fromJournal: from_journal, violations } = copy;
    return { path: to, bytes, from_journal, files, violations };
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Every file and directory below, readable by us only and on the disk; links stay as they are. */
async function settle(directory: string): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) await settle(path);
    else if (entry.isFile()) {
      await chmod(path, 0o600);
      await sync(path);
    }
  }
  await chmod(directory, 0o700);
  await sync(directory);
}

async function sync(path: string): Promise<void> {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Copies a file or directory of the data directory. Archives hold what agents left in nested repositories: a link stays a
 * link, pipes and sockets are left out, and a file without the right to read it gets that right first.
 */
async function copyKept(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true, verbatimSymlinks: true, filter: canBeCopied });
}

async function canBeCopied(path: string): Promise<boolean> {
  const found = await lstat(path);
  if (found.isSymbolicLink()) return true;
  if (!found.isFile() && !found.isDirectory()) return false;
  const needed = found.isDirectory() ? 0o700 : constants.S_IRUSR;
  if ((found.mode & needed) !== needed) await chmod(path, (found.mode & 0o777) | needed);
  return true;
}
