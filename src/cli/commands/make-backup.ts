import { randomUUID } from "node:crypto";
import { constants, existsSync } from "node:fs";
import { chmod, cp, lstat, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Database } from "../../adapters/store/database.ts";
import { databaseIn } from "../../adapters/store/registry.ts";
import { OutsideError } from "../../domain/kernel/errors.ts";
import type { Violation } from "../../domain/ports/settings-tables.ts";
import { whileReachable, whileReadable } from "../data-directory.ts";

/**
 * What is copied in addition to the database, where it exists: GitHub does not have it. An earlier
 * version keeps in `marker-secret` what is in the database now; without it, it no longer recognizes its own comments.
 */
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
 * Makes `to` (which must not exist) a copy from which Flotilla can start. The directory gets its name only
 * once all of it is verified and on disk. Throws `OutsideError` where the database is missing or damaged, and
 * then leaves nothing behind.
 */
export async function backUp(options: {
  dataDir: string;
  database: Database;
  to: string;
  now: number;
}): Promise<BackedUp> {
  const { dataDir, database, to, now } = options;
  if (!(await whileReachable(database, () => database.exists())))
    throw new OutsideError("no_database", `there is no database at ${database.at}`, {
      consequence: "tell",
      advice: "Set FLOTILLA_DATA_DIR to the data directory.",
    });
  const draft = `${to}.${randomUUID()}.part`;
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  await mkdir(draft, { mode: 0o700 });
  try {
    const copy = await whileReadable(database, () =>
      database.copyTo(databaseIn({ variables: {}, dataDir: draft }), now),
    );
    if (copy.damage.length > 0)
      throw new OutsideError("damaged", `the database is damaged: ${copy.damage.join("; ")}`, {
        consequence: "tell",
        advice: "Restore the last backup that was whole; this one was not kept.",
      });
    // Copied after the database, so that every file that its rows name is there, unless it was removed since.
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

/** Makes every file and directory below readable only to us and syncs it to disk; leaves links unchanged. */
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
 * Copies a file or directory of the data directory. Archives contain nested repositories of agents: keeps
 * links as links, leaves out pipes and sockets, and first adds a missing right to read.
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
